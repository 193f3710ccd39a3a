import MLCCore

/// The value of one `AttributeProto`.
package enum ONNXAttribute: Sendable {
  case int(Int)
  case ints([Int])
  case float(Float)
  case floats([Float])
  case string(String)
  case strings([String])
  /// A string attribute whose bytes are not UTF-8.
  case bytes([UInt8])
  /// A dense tensor; sparse tensors are expanded.
  case tensor(Tensor)
  case tensors([Tensor])
  case graph(ONNXGraph)
  case graphs([ONNXGraph])
  case type(ONNXValueInfo)
  case types([ONNXValueInfo])
  /// Inside a function body: the value of the function's attribute of that name.
  case reference(String)

  /// What it is, in words for a message.
  package var kind: String {
    switch self {
    case .int: "an integer"
    case .ints: "a list of integers"
    case .float: "a float"
    case .floats: "a list of floats"
    case .string: "a string"
    case .strings: "a list of strings"
    case .bytes: "a string that is not UTF-8"
    case .tensor: "a tensor"
    case .tensors: "a list of tensors"
    case .graph: "a graph"
    case .graphs: "a list of graphs"
    case .type: "a type"
    case .types: "a list of types"
    case .reference(let name): "a reference to the function attribute '\(name)'"
    }
  }

  /// The graphs it holds.
  package var graphs: [ONNXGraph] {
    switch self {
    case .graph(let graph): [graph]
    case .graphs(let graphs): graphs
    default: []
    }
  }
}
