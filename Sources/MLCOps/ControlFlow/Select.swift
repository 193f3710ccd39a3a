import MLCCore
import MLCGraph

/// `y = a` where `cond`, else `b`, broadcast: `cond: bool[*C]`, `a: T[*A]`, `b: T[*B]` → `y: T[*broadcast(C, A, B)]`.
///
/// Elements not chosen play no part, whatever they are. Throws `select.dtype`, `broadcast.shape`.
/// Source: MIL `select`, ONNX `Where`.
package struct Select: Operator {
  package static let schema = Schema<Select>("select", [.input("cond"), .input("a"), .input("b")])
  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (cond, a, b) = (inputs["cond"], inputs["a"], inputs["b"])
    guard cond.dtype == .bool else { throw Diagnostic.dtype("select", cond.dtype, "cond") }
    try checkSameDType(a, b, "select")
    let type = TensorType(a.dtype, try Broadcast.shape([cond.shape, a.shape, b.shape]))
    return [.known(type, elements(cond, a, b, type))]
  }

  private func elements(_ cond: Fact, _ a: Fact, _ b: Fact, _ type: TensorType) -> [Dim]? {
    guard let choices = cond.elements, let left = a.elements, let right = b.elements, let shape = type.staticShape,
      let condShape = cond.type.staticShape, let aShape = a.type.staticShape, let bShape = b.type.staticShape,
      let count = shape.checkedProduct, count <= Fact.elementLimit
    else { return nil }
    let (c, i, j) = (
      Broadcast.indices(from: condShape, to: shape), Broadcast.indices(from: aShape, to: shape),
      Broadcast.indices(from: bShape, to: shape)
    )
    var result: [Dim] = []
    for position in 0..<count {
      let (yes, no) = (left[i[position]], right[j[position]])
      guard let choice = choices[c[position]].constant else {
        let choice = choices[c[position]]
        guard yes.terms.count + no.terms.count <= 6 else { return nil }
        result.append(yes == no ? yes : choice * yes + (1 - choice) * no)
        continue
      }
      result.append(choice != 0 ? yes : no)
    }
    return result
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (cond, a, b) = (inputs["cond"], inputs["a"], inputs["b"])
    let shape = try Broadcast.shape([cond.shape, a.shape, b.shape])
    try checkSize(a.dtype, shape, "select")
    let choices = cond.integers
    let (c, i, j) = (
      Broadcast.indices(from: cond.shape, to: shape), Broadcast.indices(from: a.shape, to: shape),
      Broadcast.indices(from: b.shape, to: shape)
    )
    let both = Tensor.flat([a, b])
    return [both.picking(c.indices.map { choices[c[$0]] != 0 ? i[$0] : a.count + j[$0] }, shape)]
  }
}
