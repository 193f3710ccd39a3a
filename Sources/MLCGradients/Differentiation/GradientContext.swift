import MLCCore
import MLCGraph
import MLCOps

/// One operation whose operands are given gradients, and the gradients so far.
package struct GradientContext: OperationBuilder {
  package private(set) var writer: GraphWriter
  /// The operation at hand.
  package private(set) var operation = Operation(Identity(), [], outputs: [])
  /// Values on the way from the parameters to the loss.
  private let path: Set<ValueID>
  /// What each value's gradient is the sum of.
  private var terms: [ValueID: [ValueID]] = [:]

  init(_ writer: GraphWriter, path: Set<ValueID>, loss: ValueID) {
    (self.writer, self.path) = (writer, path)
    terms[loss] = [scalar(1, like: loss)]
  }

  /// Takes up `operation`; false when the loss depends on none of its results.
  mutating func begin(_ operation: Operation) -> Bool {
    self.operation = operation
    writer.origin = operation.origin
    return operation.outputs.contains { terms[$0] != nil }
  }

  // MARK: Asking

  package func fact(_ value: ValueID) -> Fact { writer.fact(value) }
  /// The operand of a port that takes one and has it.
  package subscript(port: String) -> ValueID { operation.arguments(port)[0] }
  package subscript(optional port: String) -> ValueID? { operation.argument(port) }
  package subscript(all port: String) -> [ValueID] { operation.arguments(port) }
  package func shape(_ port: String) -> [Dim] { fact(self[port]).shape }
  package func rank(_ port: String) -> Int { fact(self[port]).rank }
  package func result(_ place: Int = 0) -> ValueID { operation.outputs[place] }

  /// Whether the gradient of an operand is asked for.
  package func wants(_ value: ValueID?) -> Bool { value.map(path.contains) ?? false }
  package func wants(_ port: String) -> Bool { wants(self[optional: port]) }

  /// `∂ℓ/∂result`, zeros where the loss does not depend on it.
  package mutating func gradient(_ place: Int = 0) throws(Diagnostic) -> ValueID {
    if let gradient = try total(of: operation.outputs[place]) { return gradient }
    return try zeros(like: operation.outputs[place])
  }

  // MARK: Giving

  /// Adds `gradient` to that of an operand, if it is asked for: summed over what the operand was broadcast to, repeated
  /// over what it has and `gradient` lacks, in the operand's element type.
  package mutating func give(_ gradient: Formula, to operand: ValueID?) throws(Diagnostic) {
    guard let operand, wants(operand) else { return }
    let typed = try converted(try value(gradient), to: fact(operand).dtype)
    terms[operand, default: []].append(try fitted(typed, to: operand))
  }

  package mutating func give(_ gradient: Formula, to port: String) throws(Diagnostic) {
    try give(gradient, to: self[optional: port])
  }

  /// The gradient of `value` so far, as one value.
  mutating func total(of value: ValueID) throws(Diagnostic) -> ValueID? {
    guard let all = terms[value] else { return nil }
    let total = try sum(all)
    terms[value] = [total]
    return total
  }

  // MARK: Building

  package mutating func append(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> ValueID {
    try writer.append(op, inputs)
  }
  package mutating func results(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> [ValueID] {
    try writer.results(op, inputs)
  }
  package mutating func list(_ numbers: [Int]) -> ValueID { writer.list(numbers) }
  package mutating func constant(_ tensor: Tensor, _ suffix: String) -> ValueID { writer.constant(tensor, suffix) }
}
