import CoreMLProto
import MLCCore

/// Every layer of a network that mlc does not have: found before import starts, reported in one table.
enum UnsupportedNNLayers {
  /// `coreml.unsupported` with one note a type, or `nil` when everything is supported.
  static func report(_ layers: [NNLayerSpec]) -> Diagnostic? {
    var table = UnsupportedTable(advice: advice)
    func walk(_ specs: [NNLayerSpec]) {
      for spec in specs {
        let layer = NNLayer(spec)
        if NNLayerTable.rule(layer.kind) == nil {
          table.add(layer.kind.isEmpty ? "(none)" : layer.kind, node: layer.name)
        }
        switch spec.layer {
        case .branch(let branch)?:
          walk(branch.ifBranch.layers)
          walk(branch.elseBranch.layers)
        case .loop(let loop)?:
          walk(loop.conditionNetwork.layers)
          walk(loop.bodyNetwork.layers)
        default: break
        }
      }
    }
    walk(layers)
    return table.diagnostic("coreml.unsupported", noun: "kind of layer", place: "layer")
  }

  private static let advice: [String: String] = [
    "branch": "convert to an ML Program, which has branches as values",
    "copy": "convert to an ML Program, which has loops as values",
    "custom": "its code is the application's own",
    "loop": "convert to an ML Program, which has loops as values",
    "NonMaximumSuppression": "cut the model before it and select boxes in the application",
  ]
}
