import MLCCore
import MLCGraph

/// Running sums along `axis`: `y[i] = Σ_{j ≤ i} x[j]`: `x: T[*S]` → `y: T[*S]`.
///
/// `exclusive` leaves out `x[i]` itself; `reverse` sums from the end. Floats add in Double and each sum rounds once;
/// integers wrap. Throws `cumsum.axis`, `cumsum.dtype`.
/// Source: MIL `cumsum`, ONNX `CumSum`.
package struct Cumsum: Cumulative {
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

  package static let neutral = 0
  package static func combined(_ a: Double, _ b: Double) -> Double { a + b }
  package static func combined(_ a: Int, _ b: Int) -> Int { a &+ b }
}
