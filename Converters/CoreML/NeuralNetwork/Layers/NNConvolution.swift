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

  /// A given output shape takes the place of padding: what is too much goes in equal parts from both ends. With padding
  /// to the same size one element more goes from the end that its asymmetry is heavy at.
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
    let wanted = try nnPair(spec.outputShape, "outputShape", default: 0)
    let heavy: NNHeavyEnd? =
      if case .same(let same)? = spec.convolutionPaddingType {
        same.asymmetryMode == .topLeftHeavy ? .first : .last
      } else {
        nil
      }
    (op.padType, op.pad) = ("custom", try nnCut(to: wanted, x, op.strides, kernel, heavy: heavy))
    return op
  }
}

/// The end of an axis that an odd number of elements is taken from once more than from the other.
enum NNHeavyEnd { case first, last }

/// What a transposed convolution takes away before and after each axis of what it makes of `x`, so that `wanted` is
/// left: an even number where no end is heavy.
func nnCut(
  to wanted: [Int],
  _ x: Fact,
  _ strides: [Int],
  _ kernel: [Int],
  heavy: NNHeavyEnd? = nil
) throws(Diagnostic) -> [Int] {
  var pad: [Int] = []
  for axis in wanted.indices {
    guard let extent = x.shape[2 + axis].constant else {
      throw NNContext.unsupported("'outputShape' needs an input of fixed size")
    }
    let whole = (extent - 1).multipliedReportingOverflow(by: strides[axis])
    let surplus = whole.partialValue.addingReportingOverflow(kernel[axis]).partialValue.subtractingReportingOverflow(
      wanted[axis]
    )
    let cut = surplus.partialValue
    guard !whole.overflow, !surplus.overflow, cut >= 0, heavy != nil || cut.isMultiple(of: 2) else {
      throw NNContext.unsupported("'outputShape' \(wanted) does not cut the result evenly on both sides")
    }
    let first = heavy == .first ? cut - cut / 2 : cut / 2
    pad += [first, cut - first]
  }
  return pad
}
