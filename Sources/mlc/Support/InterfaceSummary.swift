import MLCCore
import MLCPackage

/// Inputs, outputs, open sizes and metadata of a model, for reading.
struct InterfaceSummary {
  var inputs: [FunctionInterface.Port], outputs: [FunctionInterface.Port]
  /// What is kept from call to call.
  var states: [FunctionInterface.Port]
  var metadata: [(String, String)]

  init(_ interface: FunctionInterface, metadata: [(String, String)]) {
    (inputs, outputs, self.metadata) = (interface.callerInputs, interface.callerOutputs, metadata)
    states = interface.states.map { .init($0.name, interface.inputs[$0.input].type) }
  }

  /// Names of the sizes that inputs leave open.
  private var openSizes: [String] {
    inputs.reduce(into: []) { names, port in
      for dim in port.type.shape { names += dim.symbols.sorted().filter { !names.contains($0) } }
    }
  }

  var text: String {
    var table = Table(["", "name", "type"])
    for port in inputs { table.add(["input", port.name, "\(port.type)"]) }
    for port in outputs { table.add(["output", port.name, "\(port.type)"]) }
    for port in states { table.add(["state", port.name, "\(port.type)"]) }
    var text = table.text + "\n"
    if !openSizes.isEmpty { text += "\nopen sizes: \(openSizes.joined(separator: ", "))\n" }
    if !metadata.isEmpty {
      text += "\nmetadata:\n"
      for (key, value) in metadata {
        let line = value.split(separator: "\n", maxSplits: 1).first.map { String($0.prefix(80)) } ?? ""
        text += "  \(key): \(line)\(line.count < value.count ? "… (\(value.utf8.count.of("byte")))" : "")\n"
      }
    }
    return text
  }

  var json: [String: JSON] {
    let pairs = metadata.map { ($0.0, JSON.string($0.1)) }
    return [
      "inputs": .array(inputs.map { $0.json }), "outputs": .array(outputs.map { $0.json }),
      "states": .array(states.map { $0.json }), "sizes": .array(openSizes.map { .string($0) }),
      "metadata": .object(Dictionary(pairs) { first, _ in first }),
    ]
  }
}

extension FunctionInterface.Port {
  /// Open extents are strings, others numbers.
  fileprivate var json: JSON {
    let shape: [JSON] = type.shape.map { dim in dim.constant.map { .integer($0) } ?? .string(dim.description) }
    return .object(["name": .string(name), "dtype": .string(type.dtype.rawValue), "shape": .array(shape)])
  }
}
