import MLCCore
import MLCGraph
import MLCOps

extension Rejection {
  static let graphs: [Rejection] = [
    inferring(
      "graph.argument-count",
      "%x: fp32[1], %w: fp32[1, 1]",
      "%y = linear(x = %x, weight = %w, bias = (%x, %x))"
    ),
    inferring("graph.missing-input", "", "%y = abs()"),
    inferring(
      "graph.negative-extent",
      "%x: fp32[1, 1, 1], %w: fp32[1, 1, 1]",
      "%y = conv_transpose(x = %x, weight = %w) {pad = [1, 1]}"
    ),
    inferring("graph.rank", "%x: fp32[1], %w: fp32[1]", "%y = linear(x = %x, weight = %w)"),
    inferring(
      "graph.tensor-size",
      "%x: fp32[1]",
      "%s = const {val = int64[1](4611686018427387904)}\n%y = broadcast_to(x = %x, shape = %s)"
    ),
    running("interpreter.input", "%x: fp32[1]", "%y = abs(x = %x)", []),
    running("interpreter.input", "%x: fp32[1]", "%y = abs(x = %x)", [Tensor([1, 1], floats: [0])]),
    running("interpreter.input", "%x: fp32[1]", "%y = abs(x = %x)", [Tensor([2], floats: [0, 0])]),
    broken("verify.outputs") { $0.outputNames = ["y", "z"] },
    broken("verify.redefinition") { $0.body.operations.append($0.body.operations[0]) },
    broken("verify.type") { function in
      let output = function.body.operations[0].outputs[0]
      function[output].fact = Fact(TensorType(.float32, [2]))
    },
    broken("verify.undefined") { $0.body.operations = [] },
    broken("verify.unknown-value") { $0.inputs.append(ValueID(99)) },
  ]

  /// `y = |x|`, after `damage`.
  private static func broken(_ id: String, _ damage: @escaping @Sendable (inout Function) -> Void) -> Rejection {
    Rejection(id) {
      var builder = Builder()
      let x = builder.input("x", TensorType(.float32, [1]))
      let y = try builder(Abs(), x)
      var function = builder.finish([("y", y)])
      damage(&function)
      try function.verify()
    }
  }

  static let texts: [Rejection] = [
    inferring("text.dtype", "%x: fp33[1]", ""),
    inferring("text.results", "%x: fp32[1]", "%y, %z = abs(x = %x)"),
    inferring("text.value", "%x: fp32[1]", "%y = clip(x = %x) {alpha = one}"),
  ]
}
