import MLCCore

/// One ONNX file as plain values. Tensors are views into the mapped file and its external data files.
package struct ONNXModel: Sendable {
  package var irVersion: Int
  /// Operator set version by domain; `""` is the standard domain.
  package var opsets: [String: Int]
  package var producer: String
  package var metadata: [(key: String, value: String)]
  package var graph: ONNXGraph
  package var functions: [ONNXFunction]

  package init(
    irVersion: Int,
    opsets: [String: Int],
    producer: String = "",
    metadata: [(key: String, value: String)] = [],
    graph: ONNXGraph,
    functions: [ONNXFunction] = []
  ) {
    (self.irVersion, self.opsets, self.producer) = (irVersion, opsets, producer)
    (self.metadata, self.graph, self.functions) = (metadata, graph, functions)
  }

  /// The newest version of the standard operator set that is known here.
  package static let newestOpset = 28

  /// The standard operator set's version.
  package var opset: Int { opsets[""] ?? 1 }

  /// The standard domain has two spellings, `ai.onnx` and none; this answers the latter.
  package static func normalizedDomain(_ domain: String) -> String { domain == "ai.onnx" ? "" : domain }
}

/// A model-local function: an operator that the model defines by a body of nodes.
package struct ONNXFunction: Sendable {
  package var name: String
  package var domain: String
  package var overload: String
  package var inputs: [String]
  package var outputs: [String]
  /// Attributes that a call may give and that have no default; without one, what refers to it is left out.
  package var requiredAttributes: [String]
  /// Attributes that a call may give, with their defaults.
  package var defaultAttributes: [String: ONNXAttribute]
  package var nodes: [ONNXNode]
  package var opsets: [String: Int]

  package init(
    name: String,
    domain: String = "",
    overload: String = "",
    inputs: [String] = [],
    outputs: [String] = [],
    requiredAttributes: [String] = [],
    defaultAttributes: [String: ONNXAttribute] = [:],
    nodes: [ONNXNode] = [],
    opsets: [String: Int] = [:]
  ) {
    (self.name, self.domain, self.overload) = (name, ONNXModel.normalizedDomain(domain), overload)
    (self.inputs, self.outputs, self.nodes, self.opsets) = (inputs, outputs, nodes, opsets)
    (self.requiredAttributes, self.defaultAttributes) = (requiredAttributes, defaultAttributes)
  }

  /// What a call names.
  package struct ID: Hashable, Sendable {
    package var domain, name, overload: String
  }

  package var id: ID { ID(domain: domain, name: name, overload: overload) }
}

extension ONNXNode {
  /// The function that this calls where the model defines one.
  var functionID: ONNXFunction.ID { .init(domain: domain, name: opType, overload: overload) }
}
