import MLCCore
import MLCGraph

/// All elements along `axis` up to each, combined: `y[i] = x[0] ∘ … ∘ x[i]`: `x: T[*S]` → `y: T[*S]`.
///
/// `exclusive` leaves out `x[i]` itself; `reverse` begins at the end. Floats combine in Double and each result rounds
/// once. Throws `OP.axis`, `OP.dtype`.
package protocol Cumulative: Operator {
  var axis: Int { get }
  var exclusive: Bool { get }
  var reverse: Bool { get }
  /// What combines with every number to that number.
  static var neutral: Int { get }
  static func combined(_ a: Double, _ b: Double) -> Double
  /// The same on integers, wrapping.
  static func combined(_ a: Int, _ b: Int) -> Int
}

extension Cumulative {
  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    guard x.dtype.isFloat || x.dtype.isInteger else { throw Diagnostic.dtype(Self.name, x.dtype) }
    _ = try normalized(axis: axis, rank: x.rank, Self.name)
    return [Fact(x.type)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    let axis = try normalized(axis: axis, rank: x.rank, Self.name)
    if x.dtype.isFloat {
      return [Tensor(x.dtype, x.shape, totals(x.doubles, x.shape, axis, Double(Self.neutral), Self.combined))]
    }
    return [Tensor(x.dtype, x.shape, totals(x.integers, x.shape, axis, Self.neutral, Self.combined))]
  }

  private func totals<T>(_ x: [T], _ shape: [Int], _ axis: Int, _ neutral: T, _ combine: (T, T) -> T) -> [T] {
    var y = x
    let inner = shape[(axis + 1)...].reduce(1, *)
    let length = shape[axis]
    for outer in 0..<shape[..<axis].reduce(1, *) {
      for column in 0..<inner {
        var total = neutral
        for step in 0..<length {
          let index = (outer * length + (reverse ? length - 1 - step : step)) * inner + column
          let next = combine(total, x[index])
          y[index] = exclusive ? total : next
          total = next
        }
      }
    }
    return y
  }
}
