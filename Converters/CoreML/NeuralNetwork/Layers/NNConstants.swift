import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `loadConstant`, `[C, H, W]` with batch axes before, and `loadConstantND`.
enum NNLoadConstant: NNLayerRule {
  static let kinds = ["loadConstant", "loadConstantND"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    if case .loadConstantNd(let spec)? = layer.spec.layer {
      let shape = spec.shape.map { Int(clamping: $0) }
      return [context.constant(try context.dense(spec.data, "data", shape))]
    }
    let spec = layer.spec.loadConstant
    let data = try context.dense(spec.data, "data", spec.shape.map { Int(clamping: $0) })
    guard data.rank == 3 else { throw NNContext.wrong("'shape' is \(spec.shape)") }
    let lead = [Int](repeating: 1, count: (context.legacyRank ?? 5) - 3)
    return [context.constant(data.reshaped(lead + data.shape))]
  }
}

/// `fillStatic`, `fillLike`, `fillDynamic`: a tensor of one number.
enum NNFill: NNLayerRule {
  static let kinds = ["fillStatic", "fillLike", "fillDynamic"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    switch layer.spec.layer {
    case .fillStatic(let spec)?:
      let shape = context.list(spec.targetShape.map { Int(Int32(clamping: $0)) })
      return [try context.emit(Fill(), shape, context.scalar(Double(spec.value)))]
    case .fillLike(let spec)?:
      let shape = try context.emit(Shape(dtype: .int32), try context.input())
      return [try context.emit(Fill(), shape, context.scalar(Double(spec.value)))]
    default:
      let shape = try context.integers(try context.input(0, rank: 1))
      return [try context.emit(Fill(), shape, context.scalar(Double(layer.spec.fillDynamic.value)))]
    }
  }
}

/// `rangeStatic`: from start to before end; `rangeDynamic`, whose end, start and step are inputs as far as there are
/// any.
enum NNRange: NNLayerRule {
  static let kinds = ["rangeStatic", "rangeDynamic"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    if case .rangeDynamic(let spec)? = layer.spec.layer {
      var numbers = [
        context.scalar(0), context.scalar(Double(spec.startValue)), context.scalar(Double(spec.stepSizeValue)),
      ]
      guard (1...3).contains(context.inputCount) else { throw NNContext.wrong("the range has no end") }
      for index in 0..<context.inputCount { numbers[index] = try context.reshape(try context.input(index), []) }
      return [try context.emit(Range1D(), numbers[0], numbers[1], numbers[2])]
    }
    let spec = layer.spec.rangeStatic
    let (end, start) = (context.scalar(Double(spec.endValue)), context.scalar(Double(spec.startValue)))
    return [try context.emit(Range1D(), end, start, context.scalar(Double(spec.stepSizeValue)))]
  }
}

/// `getShape`: the extents as numbers.
enum NNGetShape: NNLayerRule {
  static let kinds = ["getShape"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    [try context.number(try context.emit(Shape(dtype: .int32), try context.input()))]
  }
}
