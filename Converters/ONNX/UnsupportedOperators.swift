import MLCCore

/// Every operator of a model that mlc does not have: found before conversion starts, reported in one table.
package struct UnsupportedOperators: Sendable {
  package struct Row: Hashable, Sendable {
    package var type: String, domain: String, version: Int
    package var nodes: [String]
  }
  package private(set) var rows: [Row] = []

  package init(_ model: ONNXModel) {
    var found: [String: Row] = [:]
    func walk(_ graph: ONNXGraph) {
      for node in graph.nodes {
        if ONNXOperatorTable.rule(for: node) == nil {
          let row = Row(type: node.opType, domain: node.domain, version: model.opsets[node.domain] ?? 0, nodes: [])
          found["\(node.domain)::\(node.opType)", default: row].nodes.append(node.name)
        }
        for body in node.attributes.keys.sorted().flatMap({ node.attributes[$0]!.graphs }) { walk(body) }
      }
    }
    walk(model.graph)
    rows = found.values.sorted { ($0.domain, $0.type) < ($1.domain, $1.type) }
  }

  /// `onnx.unsupported` with one note a row, or `nil` when everything is supported.
  package var diagnostic: Diagnostic? {
    UnsupportedTable(
      rows.map { row in
        let version = "\(row.domain.isEmpty ? "ai.onnx" : row.domain) \(row.version)"
        return .init([row.type, version], nodes: row.nodes, advice: UnsupportedOperators.advice[row.type])
      }
    ).diagnostic("onnx.unsupported", noun: "operator", place: "node")
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
