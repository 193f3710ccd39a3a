import MLCCore
import MLCGraph

/// Why `after` lies farther from `before` than a pass of this tolerance may move it; `nil` when it does not.
///
/// A tolerance of 0 asks for equal bits, though any NaN stands for any other. Otherwise an element that was finite may
/// move by `tolerance` times the largest finite magnitude of its tensor. Integers, truth values and strings stay.
func movement(_ before: [Tensor], _ after: [Tensor], tolerance: Double) -> String? {
  guard before.count == after.count else { return "\(before.count) outputs became \(after.count)" }
  for (place, (old, new)) in zip(before, after).enumerated() {
    if let problem = movement(old, new, tolerance) { return "output \(place) \(problem)" }
  }
  return nil
}

private func movement(_ before: Tensor, _ after: Tensor, _ tolerance: Double) -> String? {
  guard before.type == after.type else { return "is \(after.type) and was \(before.type)" }
  guard before.dtype.isFloat else { return before == after ? nil : "is \(after) and was \(before)" }
  let (old, new) = (before.doubles, after.doubles)
  let limit = tolerance * (old.filter { $0.isFinite }.map { abs($0) }.max() ?? 0)
  for (index, (x, y)) in zip(old, new).enumerated() {
    let isSame = x.isNaN ? y.isNaN : x == y && x.sign == y.sign
    if isSame || tolerance > 0 && (!x.isFinite || abs(x - y) <= limit) { continue }
    return "[\(index)] is \(y) and was \(x)"
  }
  return nil
}

/// Draws tensors for the inputs of functions, the same from the same seed.
struct InputDraw {
  private var state: UInt64
  /// Whether every fourth element is one that arithmetic treats apart: NaN, an infinity, a zero of either sign, the
  /// largest and the smallest of the type.
  private let isHostile: Bool

  init(seed: UInt64, isHostile: Bool = false) { (state, self.isHostile) = (seed, isHostile) }

  mutating func inputs(of function: Function, sizes: [String: Int]) -> [Tensor] {
    function.inputs.map { id in
      let type = function.type(id)
      let shape = type.shape.map { $0.evaluate(sizes)! }
      let count = shape.reduce(1, *)
      if type.dtype.isFloat { return Tensor(type.dtype, shape, (0..<count).map { _ in number(type.dtype) }) }
      return Tensor(type.dtype, shape, (0..<count).map { _ in integer(type.dtype) })
    }
  }

  private mutating func next() -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33)
  }

  private mutating func number(_ dtype: DType) -> Double {
    guard isHostile, next() % 4 == 0 else { return Double(next()) / Double(1 << 31) * 4 - 2 }
    let largest = dtype == .float16 ? 65504 : Double(Float.greatestFiniteMagnitude)
    let least = dtype == .float16 ? 0x1p-24 : 0x1p-126
    let apart = [.nan, .infinity, -.infinity, 0, -0.0, largest, -largest, least, -least]
    return apart[next() % apart.count]
  }

  private mutating func integer(_ dtype: DType) -> Int {
    if dtype == .bool { return next() % 2 }
    guard isHostile, next() % 4 == 0 else { return next() % 5 }
    let width = min(dtype.bitWidth, 63)
    return [0, 1, (1 << (width - 1)) - 1, 1 << (width - 1), -1][next() % 5]
  }
}
