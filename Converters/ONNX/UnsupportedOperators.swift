import MLCCore

/// Every operator that mlc does not have of a model and of the functions that it calls: found before conversion starts,
/// reported in one table.
enum UnsupportedOperators {
  /// `onnx.unsupported` with one note an operator, or `nil` when everything is supported.
  static func report(_ model: ONNXModel) -> Diagnostic? {
    var table = UnsupportedTable(advice: advice)
    var functions: [ONNXFunction.ID: ONNXFunction] = [:]
    for function in model.functions { functions[function.id] = function }
    let defined = Set(functions.keys)
    var called: [ONNXFunction] = []
    func walk(_ nodes: [ONNXNode], _ opsets: [String: Int]) {
      for node in nodes {
        if let function = functions.removeValue(forKey: node.functionID) {
          called.append(function)
        } else if ONNXOperatorTable.rule(for: node) == nil, !defined.contains(node.functionID) {
          let domain = node.domain.isEmpty ? "ai.onnx" : node.domain
          table.add(node.opType, "\(domain) \(opsets[node.domain] ?? 0)", node: node.name)
        }
        for name in node.attributes.keys.sorted() {
          for body in node.attributes[name]!.graphs { walk(body.nodes, opsets) }
        }
      }
    }
    walk(model.graph.nodes, model.opsets)
    while let function = called.popLast() { walk(function.nodes, function.opsets) }
    return table.diagnostic("onnx.unsupported", noun: "operator", place: "node")
  }

  /// Ways round, where there is one.
  private static let advice: [String: String] = [
    "Tokenizer": "tokenise in the application"
  ]
}
