import MLCCore

extension FunctionInterface {
  var json: JSON {
    var members: [String: JSON] = [
      "name": .string(name),
      "inputs": .array(inputs.map { $0.json }),
      "outputs": .array(outputs.map { $0.json }),
      "symbols": .array(
        symbols.map { symbol in
          var members: [String: JSON] = ["name": .string(symbol.name)]
          if let range = symbol.range {
            members["minimum"] = .integer(range.lowerBound)
            members["maximum"] = .integer(range.upperBound)
          }
          return .object(members)
        }
      ),
      "lateSymbols": .array(
        lateSymbols.map { late in
          var members: [String: JSON] = ["name": .string(late.name), "bound": .string(late.bound.description)]
          if let limit = late.limit { members["limit"] = .integer(limit) }
          return .object(members)
        }
      ),
    ]
    if !enumerations.isEmpty { members["enumerations"] = .array(enumerations.map { $0.json }) }
    if !states.isEmpty {
      members["states"] = .array(
        states.map {
          .object(["name": .string($0.name), "input": .integer($0.input), "output": .integer($0.output)])
        }
      )
    }
    if !parameters.isEmpty {
      members["parameters"] = .array(
        parameters.map { .object(["name": .string($0.name), "input": .integer($0.input)]) }
      )
    }
    if !features.isEmpty { members["features"] = features.json }
    return .object(members)
  }

  init(_ object: JSONObject) throws(Diagnostic) {
    self.init(
      try object.string("name"),
      inputs: try object.objects("inputs", atMost: PackageLimits.ports) { (item) throws(Diagnostic) in try Port(item) },
      outputs: try object.objects("outputs", atMost: PackageLimits.ports) { (item) throws(Diagnostic) in try Port(item)
      },
      symbols: try object.objects("symbols", atMost: PackageLimits.symbols) { (item) throws(Diagnostic) in
        try Symbol(item)
      },
      enumerations: object.has("enumerations")
        ? try object.objects("enumerations") { (item) throws(Diagnostic) in try SizeEnumeration.read(item) } : [],
      lateSymbols: try object.objects("lateSymbols", atMost: PackageLimits.symbols) { (item) throws(Diagnostic) in
        LateSymbol(
          try item.string("name"),
          bound: try item.dim("bound"),
          limit: item.has("limit") ? try item.size("limit") : nil
        )
      },
      states: object.has("states")
        ? try object.objects("states") { (item) throws(Diagnostic) in
          State(try item.string("name"), input: try item.size("input"), output: try item.size("output"))
        } : [],
      parameters: object.has("parameters")
        ? try object.objects("parameters", atMost: PackageLimits.ports) { (item) throws(Diagnostic) in
          Parameter(try item.string("name"), input: try item.size("input"))
        } : [],
      features: object.has("features") ? try Features(try object.object("features")) : Features()
    )
    if let inconsistency { throw JSONObject.malformed(object.place, "is inconsistent: \(inconsistency)") }
  }
}

extension FunctionInterface.Port {
  fileprivate var json: JSON {
    var members = type.members
    members["name"] = .string(name)
    if !metadata.isEmpty { members["metadata"] = .object(metadata.mapValues { .string($0) }) }
    return .object(members)
  }

  fileprivate init(_ object: JSONObject) throws(Diagnostic) {
    let type = try TensorType.read(object)
    self.init(try object.string("name"), type, metadata: try object.dictionary("metadata"))
  }
}

extension TensorType {
  var members: [String: JSON] {
    ["dtype": .string(dtype.rawValue), "shape": .array(shape.map { .string($0.description) })]
  }

  static func read(_ object: JSONObject) throws(Diagnostic) -> TensorType {
    let spelling = try object.string("dtype")
    guard let dtype = DType(rawValue: spelling) else {
      throw JSONObject.malformed(object.at("dtype"), "is '\(spelling)', which is no element type")
    }
    let texts = try object.strings("shape")
    guard texts.count <= 16 else { throw JSONObject.malformed(object.at("shape"), "has more than 16 dimensions") }
    var shape: [Dim] = []
    for text in texts { shape.append(try JSONObject.dim(text, object.at("shape"))) }
    return TensorType(dtype, shape)
  }
}

extension FunctionInterface.Symbol {
  fileprivate init(_ object: JSONObject) throws(Diagnostic) {
    var range: ClosedRange<Int>?
    if object.has("minimum") || object.has("maximum") {
      let (low, high) = (try object.size("minimum"), try object.size("maximum"))
      guard low <= high else { throw JSONObject.malformed(object.at("minimum"), "is above the maximum") }
      range = low...high
    }
    self.init(try object.string("name"), range: range)
  }
}

extension SizeEnumeration {
  fileprivate var json: JSON {
    .object([
      "symbols": .array(symbols.map { .string($0) }),
      "choices": .array(choices.map { .array($0.map { .integer($0) }) }),
    ])
  }

  fileprivate static func read(_ object: JSONObject) throws(Diagnostic) -> SizeEnumeration {
    var choices: [[Int]] = []
    for choice in try object.array("choices") {
      guard case .array(let items) = choice else {
        throw JSONObject.malformed(object.at("choices"), "holds something not an array")
      }
      // What is no integer is no size either.
      choices.append(items.map { if case .integer(let number) = $0 { number } else { -1 } })
    }
    guard let enumeration = SizeEnumeration(try object.strings("symbols"), choices: choices) else {
      throw JSONObject.malformed(object.at("choices"), "has no number for each of the symbols")
    }
    return enumeration
  }
}
