import MLCCore
import MLCGraph

extension ONNXImporter {
  /// The functions of `model` by what calls name. Throws `onnx.function` for one that is defined twice.
  func functions(_ model: ONNXModel) throws(Diagnostic) -> [ONNXFunction.ID: ONNXFunction] {
    var functions: [ONNXFunction.ID: ONNXFunction] = [:]
    for function in model.functions {
      guard functions.updateValue(function, forKey: function.id) == nil else {
        throw Diagnostic("onnx.function", "function '\(function.name)' is defined twice")
      }
    }
    return functions
  }

  /// What the body of a function may grow to in all calls together, in bytes of the file.
  private static var inlinedLimit: Int { 1 << 26 }

  /// Converts `function` in the place of `node`, under names of its own. Throws what its nodes throw, `onnx.function`
  /// for a call that does not fit, `onnx.nesting`.
  func call(_ function: ONNXFunction, by node: ONNXNode, in context: inout ONNXContext)
    throws(Diagnostic) -> [ONNXValue]
  {
    guard node.attributes.values.allSatisfy({ $0.graphs.isEmpty }) else {
      throw Diagnostic("onnx.function", "a call gives a graph as an attribute", kind: .unsupported)
    }
    let nodes = function.nodes.map { $0.substituting(node.attributes, function.defaultAttributes) }
    context.inlined += nodes.reduce(0) { $0 + $1.spelledSize }
    guard context.inlined <= Self.inlinedLimit else {
      throw Diagnostic("onnx.function", "the calls of functions come to too many nodes", kind: .unsupported)
    }
    let outer = try context.enter(function)
    defer {
      context.leave(to: outer)
      context.node = node
    }
    try addNodes(nodes[...], yielding: Set(function.outputs), to: &context)
    var results: [ONNXValue] = []
    for name in function.outputs.prefix(node.outputs.count) {
      guard let value = context.values[name] else {
        throw Diagnostic("onnx.undefined-value", "output '\(name)' of '\(function.name)' is not computed by any node")
      }
      results.append(value)
    }
    return results
  }
}

extension ONNXNode {
  /// This node with the attributes of a call in the place of references to them, or else the function's defaults. A
  /// reference to what neither has goes.
  fileprivate func substituting(_ given: [String: ONNXAttribute], _ defaults: [String: ONNXAttribute]) -> ONNXNode {
    var node = self
    for (name, attribute) in attributes {
      switch attribute {
      case .reference(let parameter): node.attributes[name] = given[parameter] ?? defaults[parameter]
      case .graph(let graph): node.attributes[name] = .graph(graph.substituting(given, defaults))
      case .graphs(let graphs): node.attributes[name] = .graphs(graphs.map { $0.substituting(given, defaults) })
      default: break
      }
    }
    return node
  }

  /// About what it takes in a file, its tensors apart.
  fileprivate var spelledSize: Int {
    let names = [name] + inputs + outputs
    return 128 + names.reduce(0) { $0 + $1.utf8.count }
      + attributes.values.reduce(0) { $0 + $1.graphs.reduce(0) { $0 + $1.nodes.reduce(0) { $0 + $1.spelledSize } } }
  }
}

extension ONNXGraph {
  fileprivate func substituting(_ given: [String: ONNXAttribute], _ defaults: [String: ONNXAttribute]) -> ONNXGraph {
    var graph = self
    graph.nodes = nodes.map { $0.substituting(given, defaults) }
    return graph
  }
}
