import MLCCore

extension Features {
  package var json: JSON {
    var members: [String: JSON] = [:]
    if !inputs.isEmpty { members["inputs"] = .array(inputs.map { $0.json }) }
    if !outputs.isEmpty { members["outputs"] = .array(outputs.map { $0.json }) }
    if let classifier {
      members["label"] = .string(classifier.label)
      if let name = classifier.probabilities { members["probabilities"] = .string(name) }
    }
    return .object(members)
  }

  init(_ object: JSONObject) throws(Diagnostic) {
    self.init()
    func features(_ key: String) throws(Diagnostic) -> [Feature] {
      guard object.has(key) else { return [] }
      return try object.objects(key, atMost: PackageLimits.ports) { (item) throws(Diagnostic) in try Feature(item) }
    }
    (inputs, outputs) = (try features("inputs"), try features("outputs"))
    if object.has("label") {
      let probabilities = object.has("probabilities") ? try object.string("probabilities") : nil
      classifier = Classifier(label: try object.string("label"), probabilities: probabilities)
    }
  }
}

extension Feature {
  fileprivate var json: JSON {
    var members: [String: JSON] = ["name": .string(name)]
    switch form {
    case .array: members["form"] = .string("array")
    case .number: members["form"] = .string("number")
    case .sequence: members["form"] = .string("sequence")
    case .image(let space): (members["form"], members["channels"]) = (.string("image"), .string(space.rawValue))
    case .dictionary(let isText):
      (members["form"], members["keys"]) = (.string("dictionary"), .string(isText ? "texts" : "integers"))
    case .scores(.strings(let labels)):
      (members["form"], members["labels"]) = (.string("scores"), .array(labels.map { .string($0) }))
    case .scores(.integers(let labels)):
      (members["form"], members["labels"]) = (.string("scores"), .array(labels.map { .integer(Int($0)) }))
    }
    if isOptional { members["optional"] = .bool(true) }
    // As text: JSON has no NaN.
    if let defaultValue { members["default"] = .string("\(defaultValue)") }
    if !summary.isEmpty { members["summary"] = .string(summary) }
    return .object(members)
  }

  fileprivate init(_ object: JSONObject) throws(Diagnostic) {
    self.init(try object.string("name"), try Feature.form(object))
    isOptional = object.has("optional") ? try object.bool("optional") : false
    if object.has("default") {
      guard let number = Double(try object.string("default")) else {
        throw JSONObject.malformed(object.at("default"), "is no number")
      }
      defaultValue = number
    }
    summary = object.has("summary") ? try object.string("summary") : ""
  }

  private static func form(_ object: JSONObject) throws(Diagnostic) -> Form {
    switch try object.string("form") {
    case "array": return .array
    case "number": return .number
    case "sequence": return .sequence
    case "image":
      guard let space = ColorSpace(rawValue: try object.string("channels")) else {
        throw JSONObject.malformed(object.at("channels"), "is no order of channels")
      }
      return .image(space)
    case "dictionary":
      let keys = try object.string("keys")
      guard ["texts", "integers"].contains(keys) else { throw JSONObject.malformed(object.at("keys"), "is unknown") }
      return .dictionary(isText: keys == "texts")
    case "scores": return .scores(try labels(object))
    default: throw JSONObject.malformed(object.at("form"), "is unknown")
    }
  }

  private static func labels(_ object: JSONObject) throws(Diagnostic) -> ClassLabels {
    guard case .integer? = try object.array("labels").first else { return .strings(try object.strings("labels")) }
    var integers: [Int64] = []
    for item in try object.array("labels") {
      guard case .integer(let label) = item else {
        throw JSONObject.malformed(object.at("labels"), "are not all integers")
      }
      integers.append(Int64(label))
    }
    return .integers(integers)
  }
}
