import MLCCore

/// `structure.json`. Specs/Package.md explains each field.
extension ModelStructure {
  /// A reader takes no other.
  static let version = 1

  /// What is stored; `nil` for what no reader would take, or what says nothing.
  package var storedText: String? {
    guard self != .unsupported else { return nil }
    let text = JSON.object(["version": .integer(ModelStructure.version), "model": json]).text
    let isRead = (try? ModelStructure(file: JSONObject(JSON(parsing: text), "structure.json"))) == self
    return isRead && text.utf8.count <= PackageLimits.jsonBytes ? text : nil
  }

  /// What a file of another version describes is `unsupported`. Throws `package.field`.
  init(file object: JSONObject) throws(Diagnostic) {
    guard try object.size("version") == ModelStructure.version else {
      self = .unsupported
      return
    }
    try self.init(try object.object("model"))
  }

  private var json: JSON {
    switch self {
    case .program(let functions):
      return .object(["kind": .string("program"), "functions": .array(functions.map { $0.json })])
    case .network(let layers): return .object(["kind": .string("network"), "layers": .array(layers.map { $0.json })])
    case .pipeline(let parts):
      let models: [JSON] = parts.map { .object(["name": .string($0.name), "model": $0.structure.json]) }
      return .object(["kind": .string("pipeline"), "models": .array(models)])
    case .unsupported: return .object(["kind": .string("other")])
    }
  }

  private init(_ object: JSONObject) throws(Diagnostic) {
    switch try object.string("kind") {
    case "program":
      let functions = try object.objects("functions", atMost: PackageLimits.functions, Function.init(reading:))
      if let name = functions.map({ $0.name }).firstRepeated {
        throw JSONObject.malformed(object.at("functions"), "hold '\(name)' twice")
      }
      self = .program(functions)
    case "network": self = .network(try object.objects("layers", Layer.init(reading:)))
    case "pipeline":
      self = .pipeline(
        try object.objects("models") { (model) throws(Diagnostic) in
          Part(try model.string("name"), try ModelStructure(try model.object("model")))
        }
      )
    default: self = .unsupported
    }
  }
}

extension ModelStructure.Function {
  fileprivate var json: JSON {
    .object(["name": .string(name), "inputs": .array(inputs.map { $0.json }), "block": block.json])
  }

  fileprivate init(reading object: JSONObject) throws(Diagnostic) {
    self.init(
      try object.string("name"),
      try object.namedTypes("inputs"),
      try ModelStructure.Block(reading: try object.object("block"))
    )
  }
}

extension ModelStructure.Block {
  fileprivate var json: JSON {
    var members: [String: JSON] = [
      "operations": .array(operations.map { $0.json }), "outputs": .array(outputs.map { .string($0) }),
    ]
    if !inputs.isEmpty { members["inputs"] = .array(inputs.map { $0.json }) }
    return .object(members)
  }

  fileprivate init(reading object: JSONObject) throws(Diagnostic) {
    self.init(
      object.has("inputs") ? try object.namedTypes("inputs") : [],
      try object.objects("operations", ModelStructure.Operation.init(reading:)),
      outputs: try object.strings("outputs")
    )
  }
}

extension ModelStructure.Operation {
  fileprivate var json: JSON {
    var members: [String: JSON] = [
      "op": .string(op), "inputs": .object(inputs.mapValues { .array($0.map { $0.json }) }),
      "outputs": .array(outputs.map { $0.json }),
    ]
    if node != outputs.first?.name { members["node"] = .string(node) }
    if !blocks.isEmpty { members["blocks"] = .array(blocks.map { $0.json }) }
    return .object(members)
  }

  fileprivate init(reading object: JSONObject) throws(Diagnostic) {
    let outputs = try object.namedTypes("outputs")
    let arguments = try object.object("inputs")
    var inputs: [String: [ModelStructure.Binding]] = [:]
    for port in arguments.members.keys.sorted() {
      var bindings: [ModelStructure.Binding] = []
      for item in try arguments.array(port) {
        if case .string(let name) = item {
          bindings.append(.name(name))
        } else {
          bindings.append(.value(try JSONObject(item, arguments.at(port)).string("type")))
        }
      }
      inputs[port] = bindings
    }
    self.init(
      try object.string("op"),
      node: object.has("node") ? try object.string("node") : outputs.first?.name ?? "",
      inputs: inputs,
      outputs: outputs,
      blocks: object.has("blocks") ? try object.objects("blocks", ModelStructure.Block.init(reading:)) : []
    )
  }
}

extension ModelStructure.Binding {
  fileprivate var json: JSON {
    switch self {
    case .name(let name): .string(name)
    case .value(let type): .object(["type": .string(type)])
    }
  }
}

extension ModelStructure.Layer {
  fileprivate var json: JSON {
    func list(_ names: [String]) -> JSON { .array(names.map { .string($0) }) }
    var members: [String: JSON] = [
      "name": .string(name), "type": .string(type), "inputs": list(inputs), "outputs": list(outputs),
    ]
    if !inner.isEmpty { members["inner"] = list(inner) }
    return .object(members)
  }

  fileprivate init(reading object: JSONObject) throws(Diagnostic) {
    self.init(
      try object.string("name"),
      try object.string("type"),
      inputs: try object.strings("inputs"),
      outputs: try object.strings("outputs"),
      inner: object.has("inner") ? try object.strings("inner") : []
    )
  }
}

extension ModelStructure.NamedType {
  fileprivate var json: JSON { .array([.string(name), .string(type)]) }
}

extension JSONObject {
  /// Pairs of a name and a type.
  fileprivate func namedTypes(_ key: String) throws(Diagnostic) -> [ModelStructure.NamedType] {
    var pairs: [ModelStructure.NamedType] = []
    for item in try array(key) {
      guard case .array(let pair) = item, pair.count == 2, case .string(let name) = pair[0],
        case .string(let type) = pair[1]
      else { throw JSONObject.malformed(at(key), "holds something not a name with its type") }
      pairs.append(ModelStructure.NamedType(name, type))
    }
    return pairs
  }
}
