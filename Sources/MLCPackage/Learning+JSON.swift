import MLCCore

extension Learning {
  var json: JSON {
    var members: [String: JSON] = ["settings": .array(settings.map { $0.json })]
    switch method {
    case .network(let network):
      members["method"] = .string("network")
      members["loss"] = .string(network.loss.rawValue)
      members["optimizer"] = .string(network.optimizer.rawValue)
      members["target"] = .string(network.target)
      members["weights"] = .array(
        network.weights.map {
          .object([
            "parameter": .string($0.parameter), "layer": .string($0.layer), "role": .string($0.role.rawValue),
          ])
        }
      )
    case .neighbors(let neighbors):
      members["method"] = .string("neighbors")
      members["label"] = .string(neighbors.label)
      members["labels"] = .string(neighbors.isText ? "texts" : "integers")
      members["columns"] = .integer(neighbors.columns)
    }
    return .object(members)
  }

  init(_ object: JSONObject) throws(Diagnostic) {
    let settings = try object.objects("settings", atMost: PackageLimits.features) { (item) throws(Diagnostic) in
      try Setting(item)
    }
    if let twice = settings.map({ $0.key.rawValue }).firstRepeated {
      throw JSONObject.malformed(object.at("settings"), "hold '\(twice)' twice")
    }
    switch try object.string("method") {
    case "network": self.init(.network(try Network(object)), settings: settings)
    case "neighbors": self.init(.neighbors(try Neighbors(object)), settings: settings)
    default: throw JSONObject.malformed(object.at("method"), "is unknown")
    }
  }
}

extension Learning.Network {
  fileprivate init(_ object: JSONObject) throws(Diagnostic) {
    guard let loss = Learning.Network.Loss(rawValue: try object.string("loss")) else {
      throw JSONObject.malformed(object.at("loss"), "is unknown")
    }
    guard let optimizer = Learning.Network.Optimizer(rawValue: try object.string("optimizer")) else {
      throw JSONObject.malformed(object.at("optimizer"), "is unknown")
    }
    let weights = try object.objects("weights", atMost: PackageLimits.ports) { (item) throws(Diagnostic) in
      guard let role = Learning.Weight.Role(rawValue: try item.string("role")) else {
        throw JSONObject.malformed(item.at("role"), "is unknown")
      }
      return Learning.Weight(try item.string("parameter"), layer: try item.string("layer"), role)
    }
    self.init(loss, optimizer, target: try object.string("target"), weights: weights)
  }
}

extension Learning.Neighbors {
  fileprivate init(_ object: JSONObject) throws(Diagnostic) {
    let labels = try object.string("labels")
    guard ["texts", "integers"].contains(labels) else {
      throw JSONObject.malformed(object.at("labels"), "are neither texts nor integers")
    }
    self.init(label: try object.string("label"), isText: labels == "texts", columns: try object.size("columns"))
  }
}

extension Learning.Setting {
  /// Numbers stand as text, which keeps them exact.
  fileprivate var json: JSON {
    var members: [String: JSON] = ["key": .string(key.rawValue), "value": .string("\(value)")]
    switch allowed {
    case .range(let range):
      (members["minimum"], members["maximum"]) = (.string("\(range.lowerBound)"), .string("\(range.upperBound)"))
    case .values(let values): members["values"] = .array(values.map { .string("\($0)") })
    }
    return .object(members)
  }

  fileprivate init(_ object: JSONObject) throws(Diagnostic) {
    func number(_ text: String, _ key: String) throws(Diagnostic) -> Double {
      guard let number = Double(text), number.isFinite else {
        throw JSONObject.malformed(object.at(key), "is no number")
      }
      return number
    }
    guard let key = Key(rawValue: try object.string("key")) else {
      throw JSONObject.malformed(object.at("key"), "is unknown")
    }
    let value = try number(try object.string("value"), "value")
    if object.has("values") {
      var values: [Double] = []
      for text in try object.strings("values", atMost: PackageLimits.symbols) {
        values.append(try number(text, "values"))
      }
      guard !values.isEmpty, values == values.sorted() else {
        throw JSONObject.malformed(object.at("values"), "are not in rising order")
      }
      self.init(key, value, .values(values))
    } else {
      let low = try number(try object.string("minimum"), "minimum")
      let high = try number(try object.string("maximum"), "maximum")
      guard low <= high else { throw JSONObject.malformed(object.at("minimum"), "is above the maximum") }
      self.init(key, value, .range(low...high))
    }
    guard allowed.contains(value) else { throw JSONObject.malformed(object.at("value"), "is not allowed") }
  }
}
