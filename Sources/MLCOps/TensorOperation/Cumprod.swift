import MLCCore
import MLCGraph

/// Running products along `axis`: `y[i] = Π_{j ≤ i} x[j]`: `x: T[*S]` → `y: T[*S]`.
///
/// `exclusive` leaves out `x[i]` itself, so that the first is 1; `reverse` multiplies from the end. Floats multiply in
/// Double and each product rounds once; integers wrap. Throws `cumprod.axis`, `cumprod.dtype`.
/// Source: mlc extension, ONNX `CumProd`.
package struct Cumprod: Cumulative {
  package var axis = 0
  package var exclusive = false
  package var reverse = false

  package static let schema = Schema<Cumprod>(
    "cumprod",
    [
      .input("x", rank: 1...64), .attribute("axis", \.axis), .attribute("exclusive", \.exclusive),
      .attribute("reverse", \.reverse),
    ]
  )
  package init() {}

  package static let neutral = 1
  package static func combined(_ a: Double, _ b: Double) -> Double { a * b }
  package static func combined(_ a: Int, _ b: Int) -> Int { a &* b }
}
