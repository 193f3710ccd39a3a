import MLCCore
import MLCGraph

/// `x[…, i, j]` where it lies in a band around the diagonal, else 0: `x: T[*S, m, n]` → `y: T[*S, m, n]`.
///
/// The band holds `i − j ≤ lower` (any when `lower` < 0) and `j − i ≤ upper` (any when `upper` < 0). Throws
/// `band_part.dtype` for strings. Source: MIL `band_part`.
package struct BandPart: Operator {
  package var lower = -1, upper = -1

  package static let schema = Schema<BandPart>(
    "band_part",
    [.input("x", rank: 2...64), .attribute("lower", \.lower), .attribute("upper", \.upper)]
  )
  package init() {}
  package init(lower: Int, upper: Int) { (self.lower, self.upper) = (lower, upper) }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    guard inputs["x"].dtype != .string else { throw Diagnostic.dtype("band_part", .string) }
    return [Fact(inputs["x"].type)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) -> [Tensor] {
    let x = inputs["x"]
    return [
      x.picking(
        keepingMatrix(x.shape) { i, j in (lower < 0 || i - j <= lower) && (upper < 0 || j - i <= upper) },
        x.shape
      )
    ]
  }
}

/// For each element its own index where `keep(i, j)` holds for its row and column, else -1.
package func keepingMatrix(_ shape: [Int], _ keep: (Int, Int) -> Bool) -> [Int] {
  let (rows, columns) = (shape[shape.count - 2], shape[shape.count - 1])
  return (0..<shape.reduce(1, *)).map { keep($0 / columns % rows, $0 % columns) ? $0 : -1 }
}
