import MLCCore
import MLCGraph

/// One operator, one set of inputs, one expectation: played on the interpreter and on every target that can run here.
///
/// Expectations are worked out by hand, or come from a formula that shares nothing with the operator's own code.
struct OperatorCase: Sendable {
  /// `conv.stride-2`, unique.
  var label: String
  var op: any Operator
  /// One list a port of the schema.
  var inputs: [[Tensor]]
  /// `nil` accepts anything at that position (an output whose values only have to agree between executors).
  var expected: [Tensor?]
  /// Relative and absolute, for float outputs; integers must be equal.
  var rtol = 1e-5, atol = 1e-6
  /// Inputs that stay constants of the graph (weights, axes given as tensors), by port; others are run-time inputs.
  var constants: Set<String> = []

  init(
    _ label: String,
    _ op: any Operator,
    _ inputs: [[Tensor]],
    expected: [Tensor?],
    constants: Set<String> = [],
    rtol: Double = 1e-5,
    atol: Double = 1e-6
  ) {
    (self.label, self.op, self.inputs, self.expected) = (label, op, inputs, expected)
    (self.constants, self.rtol, self.atol) = (constants, rtol, atol)
  }
}
