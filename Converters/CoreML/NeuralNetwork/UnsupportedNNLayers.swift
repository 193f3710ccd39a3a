import CoreMLProto
import MLCCore

/// Every layer of a network that mlc does not have: found before import starts, reported in one table.
enum UnsupportedNNLayers {
  /// `coreml.unsupported` with one note a type, or `nil` when everything is supported.
  static func report(_ layers: [NNLayerSpec], custom: CustomLayers) -> Diagnostic? {
    var table = UnsupportedTable(advice: advice)
    func walk(_ specs: [NNLayerSpec]) {
      for spec in specs {
        let layer = NNLayer(spec)
        if layer.kind == "custom" {
          let name = spec.custom.className
          if custom.functions[name] == nil { table.add("custom", name, node: layer.name) }
        } else if NNLayerTable.rule(layer.kind) == nil {
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

  private static let advice: [String: String] = ["custom": "say what it means: --custom NAME=FILE"]
}
