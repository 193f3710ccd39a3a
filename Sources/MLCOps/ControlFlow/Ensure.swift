import MLCCore
import MLCGraph

/// `y = x`, where `holds` is true: `x: T[*S]`, `holds: bool` of one element → `y: T[*S]`.
///
/// Throws `ensure.dtype`, `ensure.pred` unless `holds` is one truth value, `ensure.violated` where it is false. Source:
/// mlc extension, for what an ONNX `If` gives of whose sides one alone can run.
package struct Ensure: Operator {
  package static let schema = Schema<Ensure>("ensure", [.input("x"), .input("holds")])
  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let holds = inputs["holds"]
    guard holds.dtype == .bool else { throw Diagnostic.dtype("ensure", holds.dtype, "holds") }
    if let count = holds.type.staticShape?.checkedProduct, count != 1 { throw wrongCount("\(holds.type)") }
    if let value = holds.value { try check(value) }
    return [inputs["x"]]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    if inputs["holds"].count != 1 { throw wrongCount("\(inputs["holds"].type)") }
    try check(inputs["holds"])
    return [inputs["x"]]
  }

  private func check(_ holds: Tensor) throws(Diagnostic) {
    guard holds.integers[0] == 0 else { return }
    throw Diagnostic("ensure.violated", "the model is used beyond the condition under which it can run")
  }

  private func wrongCount(_ what: String) -> Diagnostic {
    Diagnostic("ensure.pred", "the condition is \(what), not one truth value")
  }
}
