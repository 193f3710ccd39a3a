import MLCCore
import MLCGraph

/// Running sums along `axis`: `y[i] = Σ_{j ≤ i} x[j]`: `x: T[*S]` → `y: T[*S]`.
///
/// `exclusive` leaves out `x[i]` itself; `reverse` sums from the end. Floats add in Double and each sum rounds once;
/// integers wrap. Throws `cumsum.axis`, `cumsum.dtype`.
/// Source: MIL `cumsum`, ONNX `CumSum`.
package struct Cumsum: Operator {
  package var axis = 0
  package var exclusive = false
  package var reverse = false

  package static let schema = Schema<Cumsum>(
    "cumsum",
    [
      .input("x", rank: 1...64), .attribute("axis", \.axis), .attribute("exclusive", \.exclusive),
      .attribute("reverse", \.reverse),
    ]
  )
  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    guard x.dtype.isFloat || x.dtype.isInteger else { throw Diagnostic.dtype("cumsum", x.dtype) }
    _ = try normalized(axis: axis, rank: x.rank, "cumsum")
    return [Fact(x.type)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    let axis = try normalized(axis: axis, rank: x.rank, "cumsum")
    if x.dtype.isFloat { return [Tensor(x.dtype, x.shape, sums(x.doubles, x.shape, axis, 0, +))] }
    return [Tensor(x.dtype, x.shape, sums(x.integers, x.shape, axis, 0, &+))]
  }

  private func sums<T>(_ x: [T], _ shape: [Int], _ axis: Int, _ zero: T, _ add: (T, T) -> T) -> [T] {
    var y = x
    let inner = shape[(axis + 1)...].reduce(1, *)
    let length = shape[axis]
    for outer in 0..<shape[..<axis].reduce(1, *) {
      for column in 0..<inner {
        var sum = zero
        for step in 0..<length {
          let index = (outer * length + (reverse ? length - 1 - step : step)) * inner + column
          let next = add(sum, x[index])
          y[index] = exclusive ? sum : next
          sum = next
        }
      }
    }
    return y
  }
}
