import MLCCore
import MLCGraph
import MLCOps

/// `Normalization`: `(x − mean) / √variance`, both along some axes, from the config or learned from data; `invert`
/// turns it round.
package struct KerasFeatureNormalization: KerasLayer {
  package static let classNames = ["Normalization"]
  package static let masks = KerasMaskRule.passes

  package static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] {
    if config["mean"] != nil { return [] }
    return ["mean", "variance", "count"].map { KerasWeight($0, trained: false) }
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let x = try context.plain(try call.input())
    let wanted = try call.config.computeType()
    guard wanted.isFloat else {
      throw Diagnostic("keras.dtype", "statistics of \(wanted.rawValue) are not supported", kind: .unsupported)
    }
    let value = context.fact(x).dtype == wanted ? x : try context.emit(Cast(wanted), x)
    let mean = try statistic(call, "mean", 0, value, &context)
    let variance = try statistic(call, "variance", 1, value, &context)
    // Keras divides by no less than its ε.
    let deviation = try context.emit(
      Maximum(),
      try context.emit(Sqrt(), variance),
      context.scalar(1e-7, like: value)
    )
    if try call.config.bool("invert", default: false) {
      return [KerasTensor(try context.emit(Add(), mean, try context.emit(Mul(), value, deviation)))]
    }
    return [KerasTensor(try context.emit(RealDiv(), try context.emit(Sub(), value, mean), deviation))]
  }

  /// The numbers that `key` of the config holds, or weight `index`, with the axes of `x`.
  private static func statistic(
    _ call: KerasCall,
    _ key: String,
    _ index: Int,
    _ x: ValueID,
    _ context: inout KerasContext
  ) throws(Diagnostic) -> ValueID {
    let (rank, dtype) = (context.fact(x).rank, context.fact(x).dtype)
    let tensor: Tensor
    if call.config["mean"] == nil {
      tensor = try context.tensor(index).converted(to: dtype)
    } else {
      let (shape, numbers) = try KerasFeatureNormalization.numbers(call.config[key] ?? .null, key, depth: 0)
      tensor = Tensor(dtype, shape, numbers)
    }
    var kept: [Int] = []
    for axis in try axes(call.config) { kept.append(try context.axis(axis, KerasTensor(x))) }
    kept.sort()
    guard tensor.rank <= kept.count, Set(kept).count == kept.count else {
      throw Diagnostic("keras.weights", "\(key) is \(tensor.type), which does not fit the axes \(kept)")
    }
    var shape = [Int](repeating: 1, count: rank)
    for (axis, extent) in zip(kept.reversed(), tensor.shape.reversed()) { shape[axis] = extent }
    return context.constant(tensor.reshaped(shape), key)
  }

  /// `null` stands for no axis, one statistic for everything.
  private static func axes(_ config: KerasConfig) throws(Diagnostic) -> [Int] {
    if config.members["axis"] == .some(.null) { return [] }
    return try config.list("axis") ?? [-1]
  }

  /// Numbers in lists of lists of one size, with their shape.
  private static func numbers(
    _ value: JSON,
    _ key: String,
    depth: Int
  ) throws(Diagnostic) -> (shape: [Int], numbers: [Double]) {
    guard case .array(let items) = value, depth < 32 else {
      return ([], [try KerasConfig([key: value]).number(key)])
    }
    var inner: [Int]?
    var all: [Double] = []
    for item in items {
      let (shape, part) = try numbers(item, key, depth: depth + 1)
      guard inner == nil || inner == shape else { throw KerasConfig.wrong(key, "is no array") }
      inner = shape
      all += part
    }
    return ([items.count] + (inner ?? []), all)
  }
}
