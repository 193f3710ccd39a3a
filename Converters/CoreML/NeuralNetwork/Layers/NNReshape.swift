import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `reshape` of `[Seq, Batch, C, H, W]`: to `[C, H, W]` for each step, or `[Seq, C, H, W]`. With `CHANNEL_LAST` the
/// elements are taken and laid down with the channels innermost.
enum NNReshape: NNLayerRule {
  static let kinds = ["reshape"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.reshape
    let x = try context.input(rank: 4)
    let lead = Array(context.shape(x).dropLast(3))
    var target = try extents(spec.targetShape, in: context, x)
    let sequence = target.count == 4 ? target.removeFirst() : nil
    guard target.count == 3 else { throw NNContext.wrong("'targetShape' is \(spec.targetShape)") }
    var whole = lead
    if let sequence {
      guard lead.count == 2 || sequence == 1 else { throw NNContext.wrong("'targetShape' is \(spec.targetShape)") }
      if lead.count == 2 { whole = [sequence, 1] }
    }
    guard spec.mode == .channelLast else { return [try context.reshape(x, whole + target)] }
    let rank = context.rank(x)
    let front = Array(0..<rank - 3)
    let inner = try context.emit(Transpose(front + [rank - 2, rank - 1, rank - 3]), x)
    let shaped = try context.reshape(inner, whole + [target[1], target[2], target[0]])
    return [try context.emit(Transpose(front + [rank - 1, rank - 3, rank - 2]), shaped)]
  }

  /// Numbers, a −1 being what is left.
  private static func extents(_ shape: [Int64], in context: NNContext, _ x: ValueID) throws(Diagnostic) -> [Dim] {
    let known = shape.filter { $0 != -1 }.map { Int(clamping: $0) }
    guard known.allSatisfy({ $0 > 0 && $0 < 1 << 31 }), known.count >= shape.count - 1,
      let product = known.checkedProduct
    else { throw NNContext.wrong("'targetShape' is \(shape)") }
    let total = context.shape(x).suffix(3).reduce(Dim(1)) { $0 * $1 }
    return shape.map { $0 == -1 ? total.floorDiv(Dim(product)) : Dim(Int(clamping: $0)) }
  }
}

/// `flatten`: `[…, C, H, W]` → `[…, C·H·W, 1, 1]`, with `CHANNEL_LAST` the channels innermost. `flattenTo2D`: the axes
/// before `axis` as one, and the others.
enum NNFlatten: NNLayerRule {
  static let kinds = ["flatten", "flattenTo2D"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    if case .flattenTo2D(let spec)? = layer.spec.layer {
      let x = try context.input()
      let shape = context.shape(x)
      let axis = spec.axis == shape.count ? shape.count : try context.axis(spec.axis, rank: shape.count)
      let (rows, columns) = (shape[..<axis].reduce(1) { $0 * $1 }, shape[axis...].reduce(1) { $0 * $1 })
      return [try context.reshape(x, [rows, columns])]
    }
    var x = try context.input(rank: 3)
    let (rank, shape) = (context.rank(x), context.shape(x))
    if layer.spec.flatten.mode == .channelLast {
      x = try context.emit(Transpose(Array(0..<rank - 3) + [rank - 2, rank - 1, rank - 3]), x)
    }
    return [try context.reshape(x, shape.dropLast(3) + [shape.suffix(3).reduce(1) { $0 * $1 }, 1, 1])]
  }
}

/// Shapes that are given, those of another input, and those that the model computes. In `rankPreservingReshape` 0
/// stands for the extent as it is, and in all −1 for what is left.
enum NNReshapes: NNLayerRule {
  static let kinds = ["reshapeStatic", "rankPreservingReshape", "reshapeLike", "reshapeDynamic"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.input()
    switch layer.spec.layer {
    case .reshapeStatic(let spec)?: return [try reshape(x, spec.targetShape, &context)]
    case .rankPreservingReshape(let spec)?:
      guard spec.targetShape.count == context.rank(x) else {
        throw NNContext.wrong("'targetShape' is \(spec.targetShape) for \(context.fact(x).type)")
      }
      return [try reshape(x, spec.targetShape, &context)]
    case .reshapeLike?:
      return [try context.emit(Reshape(), x, try context.emit(Shape(dtype: .int32), try context.input(1)))]
    default: return [try context.emit(Reshape(), x, try context.integers(try context.input(1, rank: 1)))]
    }
  }

  private static func reshape(_ x: ValueID, _ shape: [Int64], _ context: inout NNContext) throws(Diagnostic) -> ValueID
  {
    try context.emit(Reshape(), x, context.list(shape.map { Int(Int32(clamping: $0)) }))
  }
}

/// `permute` of sequence, channels, height and width, and `transpose` of all axes.
enum NNTranspose: NNLayerRule {
  static let kinds = ["permute", "transpose"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    if case .transpose(let spec)? = layer.spec.layer {
      return [try context.emit(Transpose(spec.axes.map { Int(clamping: $0) }), try context.input())]
    }
    let x = try context.input(rank: 4)
    let axes = layer.spec.permute.axis.isEmpty ? [0, 1, 2, 3] : layer.spec.permute.axis.map { Int(clamping: $0) }
    guard axes.sorted() == [0, 1, 2, 3] else { throw NNContext.wrong("'axis' is \(axes)") }
    guard context.rank(x) == 5 else {
      guard context.rank(x) == 4, axes[0] == 0 else {
        throw NNContext.wrong("'axis' is \(axes) for \(context.fact(x).type)")
      }
      return [try context.emit(Transpose(axes), x)]
    }
    let places = axes.map { $0 == 0 ? 0 : $0 + 1 }
    return [try context.emit(Transpose([places[0], 1] + places[1...]), x)]
  }
}

/// `squeeze` and `expandDims`. A tensor keeps at least one axis.
enum NNSqueeze: NNLayerRule {
  static let kinds = ["squeeze", "expandDims"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.input()
    let rank = context.rank(x)
    if case .expandDims(let spec)? = layer.spec.layer {
      let axes = try context.axes(spec.axes, rank: rank + spec.axes.count)
      return [try context.emit(ExpandDims(axes), x)]
    }
    let spec = layer.spec.squeeze
    let ones = context.shape(x).indices.filter { context.shape(x)[$0] == 1 }
    let axes = spec.squeezeAll ? ones : try context.axes(spec.axes, rank: rank)
    if axes.count == rank { return [try context.reshape(x, [1])] }
    return [axes.isEmpty ? try context.emit(Identity(), x) : try context.emit(Squeeze(axes), x)]
  }
}

/// `reorganizeData`: squares of the plane to channels and back.
enum NNReorganize: NNLayerRule {
  static let kinds = ["reorganizeData"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.reorganizeData
    let x = try context.input(rank: 3)
    let planes = try context.planes(x)
    let block = Int(clamping: spec.blockSize)
    let result: ValueID
    switch spec.mode {
    case .spaceToDepth: result = try context.emit(SpaceToDepth(block: block), planes)
    case .depthToSpace: result = try context.emit(DepthToSpace(block: block), planes)
    case .pixelShuffle: result = try context.emit(PixelShuffle(block: block), planes)
    case .UNRECOGNIZED(let mode): throw NNContext.unsupported("the mode \(mode) is not known")
    }
    return [try context.unfolded(result, like: x)]
  }
}
