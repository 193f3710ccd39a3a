import MLCCore
import MLCGraph

/// `z[i] = holds(x[i], y[i])` over broadcast shapes: `x: T[*A]`, `y: T[*B]` → `z: bool[*broadcast(A, B)]`.
///
/// Comparisons with NaN are false, but `not_equal` true. Strings, where taken, are equal when their bytes are. Throws
/// `OP.dtype` when the types differ or are not taken, `broadcast.shape` when the shapes do not fit.
package protocol Comparison: Operator {
  func holds(_ x: Double, _ y: Double) -> Bool
  func holds(_ x: Int, _ y: Int, _ dtype: DType) -> Bool
  /// The same on sizes; `nil` when sizes decide.
  func holds(_ x: Dim, _ y: Dim) -> Bool?
  /// The same on sizes that decide: 1 where it holds, 0 elsewhere.
  func indicator(_ x: Dim, _ y: Dim) -> Dim
  static func takes(_ dtype: DType) -> Bool
}

extension Comparison {
  package static func takes(_ dtype: DType) -> Bool { dtype.isFloat || dtype.isInteger }
  package static func clauses() -> [SchemaClause<Self>] { [.input("x"), .input("y"), .output("z")] }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (x, y) = (inputs["x"], inputs["y"])
    try checkSameDType(x, y, Self.name)
    guard Self.takes(x.dtype) else { throw Diagnostic.dtype(Self.name, x.dtype) }
    let type = TensorType(.bool, try Broadcast.shape([x.shape, y.shape]))
    return [.known(type, broadcastElements(x, y, type, elementHolds))]
  }

  /// 1 or 0, or which of them as sizes decide; `nil` where that would be long.
  private func elementHolds(_ x: Dim, _ y: Dim) -> Dim? {
    if let known = holds(x, y) { return known ? 1 : 0 }
    return x.terms.count + y.terms.count <= 6 ? indicator(x, y) : nil
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (x, y) = (inputs["x"], inputs["y"])
    let shape = try Broadcast.shape([x.shape, y.shape])
    try checkSize(.bool, shape, Self.name)
    if x.dtype == .string {
      let z = Broadcast.map(x.strings, x.shape, y.strings, y.shape, to: shape) { a, b in
        holds(a.isSameText(as: b) ? 0 : 1, 0, .int64) ? 1 : 0
      }
      return [Tensor(.bool, shape, z)]
    }
    if x.dtype.isFloat {
      let z = Broadcast.map(x.doubles, x.shape, y.doubles, y.shape, to: shape) { holds($0, $1) ? 1 : 0 }
      return [Tensor(.bool, shape, z)]
    }
    let z = Broadcast.map(x.integers, x.shape, y.integers, y.shape, to: shape) { holds($0, $1, x.dtype) ? 1 : 0 }
    return [Tensor(.bool, shape, z)]
  }
}
