import MLCCore
import MLCGraph

/// `z[i] = apply(x[i], y[i])` on integers or truth values over broadcast shapes: `x: T[*A]`, `y: T[*B]` →
/// `z: T[*broadcast(A, B)]`. Truth values are 0 and 1.
///
/// Throws `OP.dtype` when the types differ or are not taken, `broadcast.shape` when the shapes do not fit.
package protocol BitwiseBinary: Operator {
  func apply(_ x: Int, _ y: Int, _ dtype: DType) -> Int
  static func takes(_ dtype: DType) -> Bool
}

extension BitwiseBinary {
  package static func clauses() -> [SchemaClause<Self>] { [.input("x"), .input("y"), .output("z")] }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (x, y) = (inputs["x"], inputs["y"])
    try checkSameDType(x, y, Self.name)
    guard Self.takes(x.dtype) else { throw Diagnostic.dtype(Self.name, x.dtype) }
    let type = TensorType(x.dtype, try Broadcast.shape([x.shape, y.shape]))
    let elements = broadcastElements(x, y, type) { a, b in
      guard let a = a.constant, let b = b.constant else { return nil }
      let number = Tensor(x.dtype, [1], [apply(a, b, x.dtype)])
      return number.integers.first.map { Dim($0) }
    }
    return [.known(type, elements)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (x, y) = (inputs["x"], inputs["y"])
    let shape = try Broadcast.shape([x.shape, y.shape])
    try checkSize(x.dtype, shape, Self.name)
    let z = Broadcast.map(x.integers, x.shape, y.integers, y.shape, to: shape) { apply($0, $1, x.dtype) }
    return [Tensor(x.dtype, shape, z)]
  }
}
