import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `convolution3d`, also transposed: `[N, C, D, H, W]`.
enum NNConvolution3D: NNLayerRule {
  static let kinds = ["convolution3d"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.convolution3D
    let x = try context.input()
    let kernel = [spec.kernelDepth, spec.kernelHeight, spec.kernelWidth].map { max(1, Int($0)) }
    let strides = [spec.strideDepth, spec.strideHeight, spec.strideWidth].map { max(1, Int($0)) }
    let dilations = [spec.dilationDepth, spec.dilationHeight, spec.dilationWidth].map { max(1, Int($0)) }
    let groups = max(1, Int(spec.nGroups))
    let (out, depth) = (max(0, Int(spec.outputChannels)), max(0, Int(spec.inputChannels)))
    let bias = spec.hasBias_p ? try context.vector(spec.bias, "bias", out) : nil
    let padType = spec.paddingType == .same ? "same" : spec.paddingType == .valid ? "valid" : "custom"
    let pad = [
      spec.customPaddingFront, spec.customPaddingBack, spec.customPaddingTop, spec.customPaddingBottom,
      spec.customPaddingLeft, spec.customPaddingRight,
    ].map { Int($0) }
    if spec.isDeconvolution {
      let weight = try context.weight(spec.weights, "weights", [depth, out / groups] + kernel, axis: 1)
      var op = ConvTranspose()
      (op.strides, op.groups, op.padType, op.pad) = (strides, groups, padType, padType == "custom" ? pad : [])
      op.dilations = dilations
      if !spec.outputShape.isEmpty {
        let wanted = spec.outputShape.map { Int(clamping: $0) }
        guard wanted.count == 3, context.rank(x) == 5 else {
          throw NNContext.wrong("'outputShape' is \(wanted) for \(context.fact(x).type)")
        }
        var shape = NNOutputShape(wanted, zip(kernel, dilations).map { ($0 - 1) * $1 + 1 })
        (shape.padding, shape.paddingCounts) = (op.pad, true)
        try shape.apply(to: &op, context.fact(x))
      }
      return [try context.emit(op, x, weight, bias)]
    }
    let weight = try context.weight(spec.weights, "weights", [out, depth / groups] + kernel)
    var op = Conv()
    (op.strides, op.groups, op.padType, op.pad) = (strides, groups, padType, padType == "custom" ? pad : [])
    op.dilations = dilations
    return [try context.emit(op, x, weight, bias)]
  }
}

/// `pooling3d` and `globalPooling3d`: the largest or the mean of each window of `[N, C, D, H, W]`.
enum NNPooling3D: NNLayerRule {
  static let kinds = ["pooling3d", "globalPooling3d"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.input(rank: 3)
    if case .globalPooling3D(let spec)? = layer.spec.layer {
      let op: any Operator =
        spec.type == .max
        ? ReduceMax(axes: [-3, -2, -1], keepDims: true) : ReduceMean(axes: [-3, -2, -1], keepDims: true)
      return [try context.emit(op, x)]
    }
    let spec = layer.spec.pooling3D
    let pad = [
      spec.customPaddingFront, spec.customPaddingBack, spec.customPaddingTop, spec.customPaddingBottom,
      spec.customPaddingLeft, spec.customPaddingRight,
    ].map { Int($0) }
    let padType = spec.paddingType == .same ? "same" : spec.paddingType == .valid ? "valid" : "custom"
    return [
      spec.type == .max
        ? try pool(MaxPool(), spec, padType, pad, x, &context)
        : try pool(average(spec), spec, padType, pad, x, &context)
    ]
  }

  private static func average(_ spec: CoreML_Specification_Pooling3DLayerParams) -> AvgPool {
    var op = AvgPool()
    op.excludePaddingFromAverage = spec.countExcludePadding
    return op
  }

  private static func pool(
    _ op: some Pooling,
    _ spec: CoreML_Specification_Pooling3DLayerParams,
    _ padType: String,
    _ pad: [Int],
    _ x: ValueID,
    _ context: inout NNContext
  ) throws(Diagnostic) -> ValueID {
    var op = op
    op.kernelSizes = [spec.kernelDepth, spec.kernelHeight, spec.kernelWidth].map { max(1, Int($0)) }
    op.strides = [spec.strideDepth, spec.strideHeight, spec.strideWidth].map { max(1, Int($0)) }
    (op.padType, op.pad) = (padType, padType == "custom" ? pad : [])
    return try context.emit(op, x)
  }
}
