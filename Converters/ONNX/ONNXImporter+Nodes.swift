import MLCCore
import MLCGraph

extension ONNXImporter {
  /// Initializers become constants; nodes are converted in order.
  func addNodes(_ graph: ONNXGraph, to context: inout ONNXContext) throws(Diagnostic) {
    addInitializers(graph, to: &context)
    try addNodes(graph.nodes[...], yielding: Set(graph.outputs.map(\.name)), to: &context)
  }

  func addInitializers(_ graph: ONNXGraph, to context: inout ONNXContext) {
    for name in graph.initializerNames {
      guard let tensor = graph.initializers[name] else { continue }
      let origin = Location(file: file, node: name)
      context.define(name, .tensor(context.builder.constant(tensor, name: name, origin: origin)))
    }
  }

  /// Converts `nodes` in order; `results` are the names among theirs that the graph gives.
  func addNodes(
    _ nodes: ArraySlice<ONNXNode>,
    yielding results: Set<String>,
    to context: inout ONNXContext
  ) throws(Diagnostic) {
    var following = nodes
    while let node = following.popFirst() {
      if node.isBranch {
        following = try addBranch(node, before: following, yielding: results, to: &context)
        continue
      }
      let open = try context.openAxes(node)
      if open.isEmpty {
        try add(node, to: &context)
      } else {
        following = try addOpenSqueeze(node, of: open, before: following, yielding: results, to: &context)
      }
    }
  }

  /// Converts one node by its rule.
  func add(_ node: ONNXNode, to context: inout ONNXContext) throws(Diagnostic) {
    context.node = node
    let outputs = try locating(context.origin) { () throws(Diagnostic) in
      try budget.checkTime()
      return try convert(node, in: &context)
    }
    for (name, value) in zip(node.outputs, outputs) where !name.isEmpty { context.define(name, value) }
    for (index, name) in node.outputs.enumerated() where index >= outputs.count && !name.isEmpty {
      throw Diagnostic(
        "onnx.output",
        "output \(index) ('\(name)') of \(node.opType) is not supported",
        kind: .unsupported,
        at: context.origin
      )
    }
  }

  private func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ONNXValue] {
    if node.isAssumption { return [try context.assumed(node)] }
    if let function = context.functions[node.functionID] { return try call(function, by: node, in: &context) }
    guard let rule = ONNXOperatorTable.rule(for: node) else {
      throw Diagnostic("onnx.unsupported", "mlc has no operator \(node.opType)", kind: .unsupported)
    }
    guard context.opset >= rule.sinceOpset || !rule.domain.isEmpty else {
      throw Diagnostic(
        "onnx.opset",
        "operator set \(context.opset) has no \(node.opType); it came with \(rule.sinceOpset)",
        kind: .unsupported
      )
    }
    return try rule.convert(node, &context)
  }
}
