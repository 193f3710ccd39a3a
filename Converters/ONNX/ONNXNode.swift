import MLCCore

/// One `NodeProto`: an operator application in an ONNX graph.
package struct ONNXNode: Sendable {
  /// The name in the file; for an unnamed node its first output, else its operator type.
  package var name: String
  package var opType: String
  /// `""` is the standard domain, however the file spells it.
  package var domain: String
  /// Selects among functions of one name; empty almost always.
  package var overload: String
  /// Value names; `""` stands for an optional operand that is left out.
  package var inputs: [String]
  package var outputs: [String]
  package var attributes: [String: ONNXAttribute]

  package init(
    name: String = "",
    opType: String,
    domain: String = "",
    overload: String = "",
    inputs: [String] = [],
    outputs: [String] = [],
    attributes: [String: ONNXAttribute] = [:]
  ) {
    self.name = name.isEmpty ? outputs.first { !$0.isEmpty } ?? opType : name
    (self.opType, self.domain, self.overload) = (opType, ONNXModel.normalizedDomain(domain), overload)
    (self.inputs, self.outputs, self.attributes) = (inputs, outputs, attributes)
  }

  package var location: Location { Location(node: name, op: opType) }

  /// Input `index`, `nil` when it is left out.
  package func input(_ index: Int) -> String? {
    inputs.indices.contains(index) && !inputs[index].isEmpty ? inputs[index] : nil
  }

  /// Output `index`, `nil` when it is left out.
  package func output(_ index: Int) -> String? {
    outputs.indices.contains(index) && !outputs[index].isEmpty ? outputs[index] : nil
  }
}

// MARK: Typed attributes

/// Each accessor answers `nil` when the attribute is absent and throws `onnx.attribute-type` when it is of another
/// kind.
extension ONNXNode {
  package func int(_ name: String) throws(Diagnostic) -> Int? {
    try attribute(name, "an integer") { if case .int(let value) = $0 { value } else { nil } }
  }
  package func int(_ name: String, default value: Int) throws(Diagnostic) -> Int { try int(name) ?? value }

  /// An integer attribute that ONNX uses as a truth value.
  package func flag(_ name: String, default value: Bool = false) throws(Diagnostic) -> Bool {
    try int(name).map { $0 != 0 } ?? value
  }

  package func ints(_ name: String) throws(Diagnostic) -> [Int]? {
    try attribute(name, "a list of integers") { if case .ints(let value) = $0 { value } else { nil } }
  }
  package func float(_ name: String) throws(Diagnostic) -> Float? {
    try attribute(name, "a float") { if case .float(let value) = $0 { value } else { nil } }
  }
  package func float(_ name: String, default value: Float) throws(Diagnostic) -> Float { try float(name) ?? value }

  package func floats(_ name: String) throws(Diagnostic) -> [Float]? {
    try attribute(name, "a list of floats") { if case .floats(let value) = $0 { value } else { nil } }
  }
  package func string(_ name: String) throws(Diagnostic) -> String? {
    try attribute(name, "a UTF-8 string") { if case .string(let value) = $0 { value } else { nil } }
  }
  package func string(_ name: String, default value: String) throws(Diagnostic) -> String {
    try string(name) ?? value
  }

  package func strings(_ name: String) throws(Diagnostic) -> [String]? {
    try attribute(name, "a list of UTF-8 strings") { if case .strings(let value) = $0 { value } else { nil } }
  }
  package func tensor(_ name: String) throws(Diagnostic) -> Tensor? {
    try attribute(name, "a tensor") { if case .tensor(let value) = $0 { value } else { nil } }
  }
  package func graph(_ name: String) throws(Diagnostic) -> ONNXGraph? {
    try attribute(name, "a graph") { if case .graph(let value) = $0 { value } else { nil } }
  }

  package func type(_ name: String) throws(Diagnostic) -> ONNXValueInfo? {
    try attribute(name, "a type") { if case .type(let value) = $0 { value } else { nil } }
  }

  private func attribute<R>(
    _ name: String,
    _ wanted: String,
    _ extract: (ONNXAttribute) -> R?
  ) throws(Diagnostic) -> R? {
    guard let attribute = attributes[name] else { return nil }
    if let value = extract(attribute) { return value }
    throw Diagnostic(
      "onnx.attribute-type",
      "attribute '\(name)' is \(attribute.kind), expected \(wanted)",
      at: location
    )
  }
}
