import MLCCore

/// One `GraphProto`: the main graph, or the body of a control-flow node.
///
/// After reading, node order is topological and every value that a node or an output names is defined in the graph or,
/// for a body, in a graph around it.
package struct ONNXGraph: Sendable {
  package var name: String
  package var nodes: [ONNXNode]
  /// Constant values by name. An initializer that is also an input is that input's default.
  package var initializers: [String: Tensor]
  /// Initializer names in file order.
  package var initializerNames: [String]
  package var inputs: [ONNXValueInfo]
  package var outputs: [ONNXValueInfo]
  /// What the file says about values inside the graph; possibly nothing.
  package var valueInfo: [ONNXValueInfo]
  /// Names that a body takes from the graphs around it, sorted.
  package var captures: [String] = []

  package init(
    name: String = "",
    nodes: [ONNXNode] = [],
    initializers: [String: Tensor] = [:],
    initializerNames: [String]? = nil,
    inputs: [ONNXValueInfo] = [],
    outputs: [ONNXValueInfo] = [],
    valueInfo: [ONNXValueInfo] = []
  ) {
    (self.name, self.nodes, self.initializers) = (name, nodes, initializers)
    self.initializerNames = initializerNames ?? initializers.keys.sorted()
    (self.inputs, self.outputs, self.valueInfo) = (inputs, outputs, valueInfo)
  }

  /// Inputs that a caller must supply: those without a default.
  package var requiredInputs: [ONNXValueInfo] { inputs.filter { initializers[$0.name] == nil } }

  /// Makes constants of inputs that say how, not on what, a node works, as ONNX' backend tests give them: of required
  /// ones, with `values` by name, numbers, lists of integers and truth values; with `vectors` lists of floats too.
  package mutating func fixParameters(_ values: [ONNXValueFile.Named], vectors: Bool) {
    let required = Set(requiredInputs.map(\.name))
    for (input, content) in values where required.contains(input.name) {
      guard case .tensor(let tensor) = content,
        tensor.rank == 0 || tensor.dtype == .bool || tensor.rank == 1 && (vectors || !tensor.dtype.isFloat)
      else { continue }
      initializers[input.name] = tensor
      initializerNames.append(input.name)
    }
  }
}

/// One `ValueInfoProto`: the name and declared type of a value.
package struct ONNXValueInfo: Hashable, Sendable {
  package var name: String
  /// The type of the tensor, or of each element of a sequence; `nil` when the element type is unknown to mlc or left
  /// out, or the rank is not declared. An extent without a value is a symbol: its `dim_param`, else `NAME_dAXIS`.
  package var type: TensorType?
  /// The element type, also when the rank is not declared.
  package var dtype: DType?
  package var isSequence: Bool
  /// The type of the keys of a map, whose values are a tensor of rank 1.
  package var keys: DType?
  package var isOptional: Bool
  /// What the file declares that mlc has no type for: `float8e4m3fn`, `map`; `nil` otherwise.
  package var unsupported: String?

  package init(
    name: String,
    type: TensorType? = nil,
    dtype: DType? = nil,
    isSequence: Bool = false,
    isOptional: Bool = false,
    unsupported: String? = nil
  ) {
    (self.name, self.type, self.dtype) = (name, type, dtype ?? type?.dtype)
    (self.isSequence, self.isOptional, self.unsupported) = (isSequence, isOptional, unsupported)
  }
}
