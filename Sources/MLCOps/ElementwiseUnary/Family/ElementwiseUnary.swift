import MLCCore
import MLCGraph

/// `y[i] = apply(x[i])`: `x: T[*S]` → `y: T[*S]`. NaN gives NaN unless the operator says otherwise.
///
/// Floats compute in Double and round once. Throws `OP.dtype` for element types that are not taken.
package protocol ElementwiseUnary: Operator {
  func apply(_ x: Double) -> Double
  /// The same on integers of `dtype`, wrapping; `uint64` by its bits. `nil` where only floats are taken.
  func apply(_ x: Int, _ dtype: DType) -> Int?
  /// The same on sizes; `nil` when that cannot be said.
  func apply(_ x: Dim) -> Dim?
  /// The same on real numbers made of sizes; `nil` when that cannot be said.
  func apply(_ x: Ratio) -> Ratio?
}

extension ElementwiseUnary {
  package func apply(_ x: Int, _ dtype: DType) -> Int? { nil }
  package func apply(_ x: Dim) -> Dim? { nil }
  package func apply(_ x: Ratio) -> Ratio? { nil }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    guard x.dtype.isFloat || (x.dtype.isInteger && apply(0, x.dtype) != nil) else {
      throw Diagnostic.dtype(Self.name, x.dtype)
    }
    if let ratios = x.ratios {
      let results = ratios.compactMap { apply($0) }
      return [Fact(x.type, ratios: results.count == ratios.count ? results : nil)]
    }
    let results = x.elements.map { $0.compactMap { apply($0) } }
    return [.known(x.type, results?.count == x.elements?.count ? results : nil)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    if x.dtype.isFloat { return [Tensor(x.dtype, x.shape, x.doubles.map { apply($0) })] }
    return [Tensor(x.dtype, x.shape, x.integers.map { apply($0, x.dtype) ?? 0 })]
  }
}
