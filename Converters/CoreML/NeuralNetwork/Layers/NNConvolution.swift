import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `convolution`, also transposed: `[…, C, H, W]`, the axes before being batch. Weights and bias may be further inputs
/// of a convolution that is not transposed.
enum NNConvolution: NNLayerRule {
  static let kinds = ["convolution"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.convolution
    let x = try context.input(rank: 3)
    let planes = try context.planes(x)
    let kernel = try nnPair(spec.kernelSize, "kernelSize", default: 3)
    let groups = max(1, Int(clamping: spec.nGroups))
    let (out, depth) = (Int(clamping: spec.outputChannels), Int(clamping: spec.kernelChannels))
    let bias = spec.hasBias_p ? try context.vector(spec.bias, "bias", out) : nil
    let result: ValueID
    if spec.isDeconvolution {
      let weight = try context.weight(spec.weights, "weights", [depth, out / groups] + kernel, axis: 1)
      result = try context.emit(try transposed(spec, context.fact(planes), kernel, groups), planes, weight, bias)
    } else {
      var op = Conv()
      op.strides = try nnPair(spec.stride, "stride", default: 1)
      op.dilations = try nnPair(spec.dilationFactor, "dilationFactor", default: 1)
      op.groups = groups
      (op.padType, op.pad) = try padding(spec)
      let given = context.inputCount > 1
      let weight =
        given ? try context.input(1) : try context.weight(spec.weights, "weights", [out, depth] + kernel)
      let second = context.inputCount > 2 ? try context.input(2) : bias
      result = try context.emit(op, planes, weight, second)
    }
    return [try context.unfolded(result, like: x)]
  }

  private static func padding(_ spec: CoreML_Specification_ConvolutionLayerParams) throws(Diagnostic) -> (String, [Int])
  {
    switch spec.convolutionPaddingType {
    case .same(let same)?: (same.asymmetryMode == .topLeftHeavy ? "same_lower" : "same", [])
    case .valid(let valid)?: ("custom", try valid.paddingAmounts.amounts())
    case nil: ("custom", [0, 0, 0, 0])
    }
  }

  /// An output shape takes the place of padding, whose asymmetry is left: see `NNOutputShape`.
  private static func transposed(
    _ spec: CoreML_Specification_ConvolutionLayerParams,
    _ x: Fact,
    _ kernel: [Int],
    _ groups: Int
  ) throws(Diagnostic) -> ConvTranspose {
    var op = ConvTranspose()
    op.strides = try nnPair(spec.stride, "stride", default: 1)
    op.groups = groups
    (op.padType, op.pad) = try padding(spec)
    guard !spec.outputShape.isEmpty else { return op }
    var shape = NNOutputShape(try nnPair(spec.outputShape, "outputShape", default: 0), kernel)
    if case .same(let same)? = spec.convolutionPaddingType {
      shape.cutsMoreAtStart = same.asymmetryMode == .topLeftHeavy
    } else {
      shape.padding = op.pad
    }
    shape.isDilated = try nnPair(spec.dilationFactor, "dilationFactor", default: 1) != [1, 1]
    try shape.apply(to: &op, x)
    return op
  }
}
