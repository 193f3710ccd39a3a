import MLCCore
import MLCGraph

/// `z[i] = apply(x[i], y[i])` over broadcast shapes: `x: T[*A]`, `y: T[*B]` → `z: T[*broadcast(A, B)]`.
///
/// Floats compute in Double and round once; integers wrap. Throws `OP.dtype` when the types differ or are not taken,
/// `broadcast.shape` when the shapes do not fit.
package protocol ElementwiseBinary: Operator {
  func apply(_ x: Double, _ y: Double) -> Double
  /// The same on integers of `dtype`, results wrapping; `uint64` by its bits.
  func apply(_ x: Int, _ y: Int, _ dtype: DType) -> Int
  /// The same on sizes; `nil` when that cannot be said.
  func apply(_ x: Dim, _ y: Dim) -> Dim?
  /// The same on real numbers made of sizes; `nil` when that cannot be said.
  func apply(_ x: Ratio, _ y: Ratio) -> Ratio?
  static func takes(_ dtype: DType) -> Bool
}

extension ElementwiseBinary {
  package func apply(_ x: Dim, _ y: Dim) -> Dim? { nil }
  package func apply(_ x: Ratio, _ y: Ratio) -> Ratio? { nil }
  package static func takes(_ dtype: DType) -> Bool { dtype.isFloat || dtype.isInteger }

  package static func clauses() -> [SchemaClause<Self>] { [.input("x"), .input("y"), .output("z")] }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (x, y) = (inputs["x"], inputs["y"])
    try checkSameDType(x, y, Self.name)
    guard Self.takes(x.dtype) else { throw Diagnostic.dtype(Self.name, x.dtype) }
    let type = TensorType(x.dtype, try Broadcast.shape([x.shape, y.shape]))
    if let elements = broadcastElements(x, y, type, apply) { return [.known(type, elements)] }
    return [Fact(type, ratios: broadcastRatios(x, y, type, apply))]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (x, y) = (inputs["x"], inputs["y"])
    let shape = try Broadcast.shape([x.shape, y.shape])
    try checkSize(x.dtype, shape, Self.name)
    if x.dtype.isFloat {
      return [Tensor(x.dtype, shape, Broadcast.map(x.doubles, x.shape, y.doubles, y.shape, to: shape, apply))]
    }
    let z = Broadcast.map(x.integers, x.shape, y.integers, y.shape, to: shape) { apply($0, $1, x.dtype) }
    return [Tensor(x.dtype, shape, z)]
  }
}

/// Throws `OP.dtype` unless both have one element type.
package func checkSameDType(_ x: Fact, _ y: Fact, _ op: String) throws(Diagnostic) {
  guard x.dtype == y.dtype else {
    throw Diagnostic(.init("\(op).dtype"), "operands are \(x.type) and \(y.type); both need one element type")
  }
}

/// `apply` on the elements of two operands as real numbers; `nil` unless all are known and all results can be said.
/// Integers round toward zero.
private func broadcastRatios(_ x: Fact, _ y: Fact, _ type: TensorType, _ apply: (Ratio, Ratio) -> Ratio?) -> [Ratio]? {
  guard let a = x.numbers, let b = y.numbers, let shape = type.staticShape,
    let left = x.type.staticShape, let right = y.type.staticShape, let count = shape.checkedProduct,
    count <= Fact.elementLimit
  else { return nil }
  let known = Broadcast.map(a, left, b, right, to: shape, apply).compactMap { $0 }
  if known.count != count { return nil }
  return type.dtype.isInteger ? known.map { $0.truncated } : known
}

/// `apply` on the known elements of two operands; `nil` unless all are known exactly and all results can be said.
package func broadcastElements(_ x: Fact, _ y: Fact, _ type: TensorType, _ apply: (Dim, Dim) -> Dim?) -> [Dim]? {
  guard let a = x.elements, let b = y.elements, let shape = type.staticShape, let left = x.type.staticShape,
    let right = y.type.staticShape, let count = shape.checkedProduct, count <= Fact.elementLimit,
    !(a + b).contains(where: { $0.isSaturated })
  else { return nil }
  let results = Broadcast.map(a, left, b, right, to: shape, apply)
  let known = results.compactMap { $0 }
  return known.count == results.count ? known : nil
}
