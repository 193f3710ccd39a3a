import MLCCore

/// Every layer of a model that mlc does not have: found before conversion starts, reported in one table.
package struct UnsupportedLayers: Sendable {
  package struct Row: Hashable, Sendable {
    package var className: String
    package var layers: [String]
  }
  package private(set) var rows: [Row] = []

  package init(_ model: KerasLayerNode) {
    var found: [String: Row] = [:]
    for node in model.family where node.type == nil {
      let name = node.customName ?? node.className
      found[name, default: Row(className: name, layers: [])].layers.append(node.path)
    }
    rows = found.values.sorted { $0.className < $1.className }
  }

  /// `keras.unsupported` with one note a row, or `nil` when everything is supported.
  package var diagnostic: Diagnostic? {
    UnsupportedTable(
      rows.map { .init([$0.className], nodes: $0.layers, advice: UnsupportedLayers.advice[$0.className]) }
    ).diagnostic("keras.unsupported", noun: "layer type", place: "layer")
  }

  /// Ways round, where there is one.
  private static let advice: [String: String] = [
    "Lambda": "code in a file is never run; build the model with layers for it",
    "TFOpLambda": "use layers instead of operators and functions on tensors",
    "SlicingOpLambda": "use layers instead of slices of tensors",
    "Normalization": "use Rescaling, or normalise in the application",
    "StringLookup": "look words up in the application",
    "TextVectorization": "split text in the application",
  ]
}
