import MLCCore

/// Every operator of a model that mlc does not have: found before conversion starts, reported in one table.
enum UnsupportedOperators {
  /// `onnx.unsupported` with one note an operator, or `nil` when everything is supported.
  static func report(_ model: ONNXModel) -> Diagnostic? {
    var table = UnsupportedTable(advice: advice)
    func walk(_ graph: ONNXGraph) {
      for node in graph.nodes {
        if ONNXOperatorTable.rule(for: node) == nil {
          let domain = node.domain.isEmpty ? "ai.onnx" : node.domain
          table.add(node.opType, "\(domain) \(model.opsets[node.domain] ?? 0)", node: node.name)
        }
        for body in node.attributes.keys.sorted().flatMap({ node.attributes[$0]!.graphs }) { walk(body) }
      }
    }
    walk(model.graph)
    return table.diagnostic("onnx.unsupported", noun: "operator", place: "node")
  }

  /// Ways round, where there is one.
  private static let advice: [String: String] = [
    "Dropout": "export with training=False",
    "Loop": "unroll the loop when exporting, or export with fixed lengths",
    "Scan": "unroll the scan when exporting, or export with fixed lengths",
    "NonMaxSuppression": "cut the model before it with onnx.utils.extract_model and select boxes in the application",
    "SequenceConstruct": "export with tensors instead of sequences",
    "StringNormalizer": "normalise text in the application",
    "Tokenizer": "tokenise in the application",
  ]
}
