import MLCCore
import MLCGraph

/// What happens to an element that an update reaches.
package enum ScatterMode: String, Sendable {
  case update, add, sub, mul, div, max, min

  /// By MIL's spelling. Throws `OP.mode`.
  package static func named(_ name: String, _ op: String) throws(Diagnostic) -> ScatterMode {
    if let mode = ScatterMode(rawValue: name) { return mode }
    throw Diagnostic(.init("\(op).mode"), "there is no mode '\(name)'")
  }

  private func combine(_ old: Double, _ new: Double) -> Double {
    switch self {
    case .update: new
    case .add: old + new
    case .sub: old - new
    case .mul: old * new
    case .div: old / new
    case .max: old.isNaN || old > new ? old : new
    case .min: old.isNaN || old < new ? old : new
    }
  }

  private func combine(_ old: Int, _ new: Int, _ dtype: DType) -> Int {
    switch self {
    case .update: new
    case .add: dtype == .bool ? old | new : old &+ new
    case .sub: old &- new
    case .mul: old &* new
    case .div: RealDiv().apply(old, new, dtype)
    case .max: dtype.isLess(old, new) ? new : old
    case .min: dtype.isLess(new, old) ? new : old
    }
  }

  /// `data` after each of `updates` reached the element at its position, in order. Floats combine in Double and round
  /// once at the end.
  package func apply(_ data: Tensor, _ updates: Tensor, at positions: [Int]) -> Tensor {
    if self == .update {
      var order = Array(0..<data.count)
      for (update, position) in positions.enumerated() { order[position] = data.count + update }
      return Tensor.flat([data, updates]).picking(order, data.shape)
    }
    if data.dtype.isFloat {
      var (result, new) = (data.doubles, updates.doubles)
      for (update, position) in positions.enumerated() { result[position] = combine(result[position], new[update]) }
      new = []
      return Tensor(data.dtype, data.shape, result)
    }
    let new = updates.integers
    var result = data.integers
    let dtype = data.dtype
    for (update, position) in positions.enumerated() {
      result[position] = combine(result[position], new[update], dtype)
    }
    return Tensor(dtype, data.shape, result)
  }
}
