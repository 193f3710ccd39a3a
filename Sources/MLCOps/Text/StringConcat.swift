import MLCCore
import MLCGraph

/// `z = x` followed by `y`, broadcast: `x: string[*A]`, `y: string[*B]` → `z: string[*broadcast(A, B)]`.
///
/// Throws `string_concat.dtype`, `broadcast.shape`, `string_concat.size` where the texts would take more memory than
/// any tensor may. Source: ONNX `StringConcat`.
package struct StringConcat: TextMaking {
  package static let schema = Schema<StringConcat>("string_concat", [.input("x"), .input("y"), .output("z")])
  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    for name in ["x", "y"] where inputs[name].dtype != .string {
      throw Diagnostic.dtype("string_concat", inputs[name].dtype, name)
    }
    return [Fact(.string, try Broadcast.shape([inputs["x"].shape, inputs["y"].shape]))]
  }

  /// What each text takes as often as it comes in the result.
  package func textBytes(_ inputs: Operands<Tensor>) -> Int {
    let (x, y) = (inputs["x"], inputs["y"])
    guard let shape = try? Broadcast.shape([x.shape, y.shape]), let count = shape.checkedProduct else { return .max }
    return [x, y].reduce(0) { sum, tensor in
      let bytes = tensor.strings.reduce(0) { $0 + $1.utf8.count }
      let total = bytes.saturatingProduct(tensor.count == 0 ? 0 : count / tensor.count)
      return total > Int.max - sum ? .max : sum + total
    }
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (x, y) = (inputs["x"], inputs["y"])
    let shape = try Broadcast.shape([x.shape, y.shape])
    try checkSize(.string, shape, "string_concat")
    guard textBytes(inputs) <= maximumTensorBytes else {
      throw Diagnostic("string_concat.size", "the texts of \(shape) would be longer than any tensor may be")
    }
    return [Tensor(shape, strings: Broadcast.map(x.strings, x.shape, y.strings, y.shape, to: shape) { $0 + $1 })]
  }
}
