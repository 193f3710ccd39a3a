import MLCCore

/// An operator's meaning: its schema, what it makes of types, and what it makes of values.
///
/// A conforming type is one file in MLCOps. Its stored properties are its attributes. What else an operator can do
/// (lower to kernels, be imported from ONNX, …) is a small protocol adopted by extension where that belongs.
package protocol Operator: Sendable {
  static var schema: Schema<Self> { get }
  init()
  /// Output facts from input facts. Arity and ranks were checked against the schema.
  func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact]
  /// The reference: naive and right. Types were checked by `infer`. Floats compute in at least Float32, reductions and
  /// contractions accumulate in Double, results round once.
  func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor]
}

/// An operator with nested blocks.
package protocol RegionOperator: Operator {
  /// The reference: `run(i, arguments)` runs block i.
  func evaluate(_ inputs: Operands<Tensor>, run: (Int, [Tensor]) throws(Diagnostic) -> [Tensor]) throws(Diagnostic)
    -> [Tensor]
}

extension RegionOperator {
  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    preconditionFailure("an operator with blocks is evaluated by the interpreter")
  }
}

/// An operator whose results take memory that types do not tell: that of longer texts, or of as many as texts divide
/// into.
package protocol TextMaking: Operator {
  /// What the results will take in memory beside what their types tell.
  func textBytes(_ inputs: Operands<Tensor>) -> Int
}

extension Operator {
  package static var name: String { schema.name }
  package static var ports: [Port] { schema.inputs }
  package static var portNames: [String] { schema.inputs.map { $0.name } }
  package static var outputNames: [String] { schema.outputs }
  package static var blockNames: [String] { schema.blocks }
  package static var attributeNames: [String] { schema.attributes.map { $0.name } }

  /// Attributes in schema order, absent ones left out.
  package var attributes: [(name: String, value: AttributeValue)] {
    Self.schema.attributes.compactMap { spec in spec.get(self).map { (spec.name, $0) } }
  }

  /// Sets an attribute by name; false when there is none or the value has the wrong kind.
  package mutating func setAttribute(_ name: String, _ value: AttributeValue) -> Bool {
    guard let spec = Self.schema.attributes.first(where: { $0.name == name }) else { return false }
    return spec.set(&self, value)
  }

  /// Same operator, same attributes.
  package func isEqual(to other: any Operator) -> Bool {
    guard type(of: other) == Self.self else { return false }
    return attributes.elementsEqual(other.attributes) { $0.name == $1.name && $0.value == $1.value }
  }
}
