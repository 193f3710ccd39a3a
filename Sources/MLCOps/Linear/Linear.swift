import MLCCore
import MLCGraph

/// `y = x·weightᵀ + bias` over the last axis: `x: T[*B, I]`, `weight: T[O, I]`, `bias: T[O]?` → `y: T[*B, O]`.
///
/// T is floating point; sums are in Double and round once, the bias included.
/// Throws `linear.contraction` when the I differ, `linear.bias`, `linear.dtype`. Source: MIL `linear`.
package struct Linear: Operator {
  package static let schema = Schema<Linear>(
    "linear",
    [
      .input("x", rank: 1...64),
      .input("weight", rank: 2...2),
      .input("bias", rank: 1...1, optional: true),
    ]
  )

  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (x, weight) = (inputs["x"], inputs["weight"])
    try requireFloat(x, "x")
    try requireSameType(weight, "weight", as: x)
    try requireSameType(inputs[optional: "bias"], "bias", as: x)
    guard fits(x.shape[x.rank - 1], weight.shape[1]) else {
      throw Diagnostic("linear.contraction", "the data is \(x.type), but the weight is \(weight.type)")
    }
    try requireVector(inputs[optional: "bias"], "bias", weight.shape[0])
    return [Fact(x.dtype, x.shape.dropLast() + [weight.shape[0]])]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (x, weight) = (inputs["x"], inputs["weight"])
    let shape = try resultShapes(inputs)[0]
    let (columns, depth) = (weight.shape[0], weight.shape[1])
    var y = [Double](repeating: 0, count: shape.reduce(1, *))
    guard !y.isEmpty else { return [Tensor(x.dtype, shape, y)] }
    let rows = y.count / columns
    y.withUnsafeMutableBufferPointer { y in
      var out = RowMajorStore(y, columns: columns)
      out.columnBias = inputs[optional: "bias"]?.doubles
      x.withReals { x in
        weight.withReals { weight in
          Contraction(rows: rows, columns: columns, depth: depth).run(
            rows: { x.pack(Strided(base: $0 * depth, lane: depth, depth: 1), lanes: $1, depth: depth, into: $2) },
            columns: {
              weight.pack(Strided(base: $0 * depth, lane: depth, depth: 1), lanes: $1, depth: depth, into: $2)
            },
            store: { out.store($0, $1, $2) }
          )
        }
      }
    }
    return [Tensor(x.dtype, shape, y)]
  }
}
