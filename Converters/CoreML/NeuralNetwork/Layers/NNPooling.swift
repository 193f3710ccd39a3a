import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `pooling` of `[…, C, H, W]`: the largest, the mean or the root of the sum of squares of each window.
///
/// `includeLastPixel` lets the last window reach past the data; windows that would begin past the padded data are left
/// out.
enum NNPooling: NNLayerRule {
  static let kinds = ["pooling"]
  private typealias Spec = CoreML_Specification_PoolingLayerParams

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.pooling
    let x = try context.input(rank: 3)
    if spec.globalPooling { return [try global(spec, x, &context)] }
    let planes = try context.planes(x)
    let result: ValueID
    switch spec.type {
    case .max: result = try pool(MaxPool(), spec, planes, &context)
    case .average:
      var op = AvgPool()
      op.excludePaddingFromAverage = spec.avgPoolExcludePadding
      result = try pool(op, spec, planes, &context)
    case .l2: result = try norm(spec, planes, &context)
    case .UNRECOGNIZED(let type): throw NNContext.unsupported("the type of pooling \(type) is not known")
    }
    return [try context.unfolded(result, like: x)]
  }

  private static func global(_ spec: Spec, _ x: ValueID, _ context: inout NNContext) throws(Diagnostic) -> ValueID {
    switch spec.type {
    case .max: try context.emit(ReduceMax(axes: [-2, -1], keepDims: true), x)
    case .average: try context.emit(ReduceMean(axes: [-2, -1], keepDims: true), x)
    case .l2: try context.emit(ReduceL2Norm(axes: [-2, -1], keepDims: true), x)
    case .UNRECOGNIZED(let type): throw NNContext.unsupported("the type of pooling \(type) is not known")
    }
  }

  private static func pool(_ op: some Pooling, _ spec: Spec, _ x: ValueID, _ context: inout NNContext)
    throws(Diagnostic) -> ValueID
  {
    var op = op
    op.kernelSizes = try nnPair(spec.kernelSize, "kernelSize", default: 3)
    op.strides = try nnPair(spec.stride, "stride", default: 1)
    switch spec.poolingPaddingType {
    case .same(let same)?: op.padType = same.asymmetryMode == .topLeftHeavy ? "same_lower" : "same"
    case .valid(let valid)?: op.pad = try valid.paddingAmounts.amounts()
    case .includeLastPixel(let border)?:
      op.pad = try nnPair(border.paddingAmounts, "paddingAmounts", default: 0).flatMap { [$0, $0] }
      op.ceilMode = true
    case nil: break
    }
    return try context.emit(op, x)
  }

  /// `√Σ x²`: the mean of the squares times the size of the window, padding being zeros that count.
  private static func norm(_ spec: Spec, _ x: ValueID, _ context: inout NNContext) throws(Diagnostic) -> ValueID {
    let area = try nnPair(spec.kernelSize, "kernelSize", default: 3).reduce(1.0) { $0 * Double($1) }
    var (spec, squares) = (spec, try context.emit(Mul(), x, x))
    if case .includeLastPixel(let border)? = spec.poolingPaddingType {
      squares = try padded(squares, border, spec, &context)
      spec.valid = .init()
    }
    let mean = try pool(AvgPool(), spec, squares, &context)
    return try context.emit(Sqrt(), try context.emit(Mul(), mean, context.scalar(area)))
  }

  /// `x` with zeros up to the end of the last window.
  private static func padded(
    _ x: ValueID,
    _ border: Spec.ValidCompletePadding,
    _ spec: Spec,
    _ context: inout NNContext
  ) throws(Diagnostic) -> ValueID {
    let pad = try nnPair(border.paddingAmounts, "paddingAmounts", default: 0)
    let (sizes, strides) = (
      try nnPair(spec.kernelSize, "kernelSize", default: 3), try nnPair(spec.stride, "stride", default: 1)
    )
    guard (pad + sizes + strides).allSatisfy({ $0 < 1 << 24 }), strides.allSatisfy({ $0 > 0 }) else {
      throw NNContext.wrong("the windows are \(sizes), \(strides) apart, with \(pad) around the data")
    }
    var amounts: [Int] = []
    for axis in 0..<2 {
      let (extent, stride) = (try context.extent(x, 2 + axis), strides[axis])
      var last = max(0, extent + 2 * pad[axis] - sizes[axis] + stride - 1) / stride
      if last * stride >= extent + pad[axis], last > 0 { last -= 1 }
      amounts += [pad[axis], last * stride + sizes[axis] - extent - pad[axis]]
    }
    return try context.emit(Pad(mode: "constant"), x, context.list(amounts))
  }
}
