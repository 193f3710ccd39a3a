import MLCCore
import MLCPackage

/// Inputs, outputs, open sizes and metadata of a model, for reading.
struct InterfaceSummary {
  var inputs: [FunctionInterface.Port], outputs: [FunctionInterface.Port]
  /// What is kept from call to call.
  var states: [FunctionInterface.Port]
  var metadata: [(String, String)]
  private let features: Features
  private let symbols: [FunctionInterface.Symbol]
  private let enumerations: [SizeEnumeration]

  init(_ interface: FunctionInterface, metadata: [(String, String)]) {
    (inputs, outputs, self.metadata) = (interface.callerInputs, interface.callerOutputs, metadata)
    states = interface.states.map { .init($0.name, interface.inputs[$0.input].type) }
    (symbols, enumerations, features) = (interface.callerSymbols, interface.enumerations, interface.features)
  }

  /// The sizes that inputs leave open, each with what the model allows.
  private var openSizes: String {
    let enumerated = Set(enumerations.flatMap { $0.symbols })
    let free = symbols.filter { !enumerated.contains($0.name) }.map { symbol in
      guard let range = symbol.range else { return symbol.name }
      let isUnlimited = range.upperBound == Int.max
      return "\(symbol.name) (\(range.lowerBound) \(isUnlimited ? "or more" : "to \(range.upperBound)"))"
    }
    return (free + enumerations.map { "\($0.symbols.joined(separator: " × ")) (\($0.spelledChoices))" })
      .joined(separator: ", ")
  }

  var text: ConsoleText {
    var table = Table(["", "name", "type", ""], cut: [1, 2, 3])
    for port in inputs { table.add(["input", port.name, "\(port.type)", features.inputs.words(port.name)]) }
    for port in outputs { table.add(["output", port.name, "\(port.type)", outputWords(port)]) }
    for port in states { table.add(["state", port.name, "\(port.type)", ""]) }
    var text: ConsoleText = "\(table.text)\n"
    if !symbols.isEmpty { text += "\nopen sizes: \(openSizes)\n" }
    if !metadata.isEmpty {
      text += "\nmetadata:\n"
      for (key, value) in metadata {
        let line = value.split(separator: "\n", maxSplits: 1).first.map { String($0.prefix(80)) } ?? ""
        text += "  \(key): \(line)\(line.count < value.count ? "… (\(value.utf8.count.of("byte")))" : "")\n"
      }
    }
    return text
  }

  private func outputWords(_ port: FunctionInterface.Port) -> String {
    let words = features.outputs.words(port.name)
    guard features.classifier?.label == port.name else { return words }
    let answer = port.type.dtype.isFloat ? "the prediction" : "the class"
    return words.isEmpty ? answer : "\(answer); \(words)"
  }

  var json: [String: JSON] {
    let pairs = metadata.map { ($0.0, JSON.string($0.1)) }
    return [
      "inputs": .array(inputs.map { $0.json }), "outputs": .array(outputs.map { $0.json }),
      "states": .array(states.map { $0.json }), "sizes": .array(symbols.map { $0.json }),
      "enumerated_sizes": .array(enumerations.map { $0.json }),
      "metadata": .object(Dictionary(pairs) { first, _ in first }), "features": features.json,
    ]
  }
}

extension FunctionInterface.Symbol {
  fileprivate var json: JSON {
    var members: [String: JSON] = ["name": .string(name)]
    if let range {
      members["minimum"] = .integer(range.lowerBound)
      if range.upperBound < Int.max { members["maximum"] = .integer(range.upperBound) }
    }
    return .object(members)
  }
}

extension SizeEnumeration {
  fileprivate var json: JSON {
    .object([
      "sizes": .array(symbols.map { .string($0) }),
      "choices": .array(choices.map { .array($0.map { .integer($0) }) }),
    ])
  }
}

extension FunctionInterface.Port {
  /// Open extents are strings, others numbers.
  fileprivate var json: JSON {
    let shape: [JSON] = type.shape.map { dim in dim.constant.map { .integer($0) } ?? .string(dim.description) }
    return .object(["name": .string(name), "dtype": .string(type.dtype.rawValue), "shape": .array(shape)])
  }
}

extension [Feature] {
  /// What the port is to an application, where that is more than an array.
  fileprivate func words(_ port: String) -> String {
    guard let feature = first(where: { $0.ports.contains(port) }) else { return "" }
    var words = feature.form == .array ? [] : [feature.form.noun]
    if feature.isOptional {
      words.append(feature.defaultValue.map { "optional, \(Float($0)) by default" } ?? "optional")
    }
    if !feature.summary.isEmpty { words.append(feature.summary) }
    return words.joined(separator: "; ")
  }
}
