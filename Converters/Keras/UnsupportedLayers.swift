import MLCCore

/// Every layer of a model that mlc does not have: found before conversion starts, reported in one table.
enum UnsupportedLayers {
  /// `keras.unsupported` with one note a class, or `nil` when everything is supported.
  static func report(_ model: KerasLayerNode) -> Diagnostic? {
    var table = UnsupportedTable(advice: advice)
    for node in model.family where node.type == nil { table.add(node.customName ?? node.className, node: node.path) }
    return table.diagnostic("keras.unsupported", noun: "layer type", place: "layer")
  }

  /// Ways round, where there is one.
  private static let advice: [String: String] = [
    "Lambda": "code in a file is never run; build the model with layers for it",
    "TFOpLambda": "use a layer instead of the function",
    "StringLookup": "look words up in the application",
    "TextVectorization": "split text in the application",
  ]
}
