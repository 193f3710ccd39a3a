import MLCCore
import MLCPackage

/// How the model of a compiled package learns, and what it has learnt, for reading.
struct LearningInventory {
  private let learning: Learning
  private let parameters: [(name: String, type: TensorType)]

  /// `nil` for a package whose model does not learn. Throws what the reader throws.
  init?(_ package: PackageReader) throws(Diagnostic) {
    guard let learning = try package.learning() else { return nil }
    (self.learning, parameters) = (learning, try package.parameters().map { ($0.name, $0.tensor.type) })
  }

  var text: ConsoleText {
    var table = Table(["it learns", "type"], cut: [0, 1])
    for parameter in parameters { table.add([parameter.name, "\(parameter.type)"]) }
    var settings = Table(["setting", "default", "allowed"], right: [1])
    for setting in learning.settings {
      settings.add([setting.key.rawValue, "\(Learning.Setting.spelled(setting.value))", "\(setting.allowed)"])
    }
    return "\(method)\n\n\(table.text)\n\n\(settings.text)\n"
  }

  private var method: String {
    switch learning.method {
    case .network(let network): "learns by \(network.optimizer.rawValue), loss \(network.loss.rawValue)"
    case .neighbors(let neighbors): "learns by nearest neighbours of \(neighbors.columns.of("feature"))"
    }
  }

  /// The member `learning`.
  var json: [String: JSON] {
    let method =
      switch learning.method {
      case .network: "network"
      case .neighbors: "neighbors"
      }
    let settings: [JSON] = learning.settings.map { setting in
      var members: [String: JSON] = ["key": .string(setting.key.rawValue), "default": .number(setting.value)]
      switch setting.allowed {
      case .range(let range):
        (members["minimum"], members["maximum"]) = (.number(range.lowerBound), .number(range.upperBound))
      case .values(let values): members["values"] = .array(values.map { .number($0) })
      }
      return .object(members)
    }
    let learnt: [JSON] = parameters.map { .object(["name": .string($0.name), "type": .string("\($0.type)")]) }
    return [
      "learning": .object(["method": .string(method), "settings": .array(settings), "parameters": .array(learnt)])
    ]
  }
}
