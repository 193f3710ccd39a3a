import MLCCore

/// Writes programs as text.
struct TextPrinter {
  var text = ""
  var blobs: [Tensor] = []
  let inlineLimit: Int
  private var depth = 0

  init(inlineLimit: Int) { self.inlineLimit = inlineLimit }

  private mutating func line(_ content: String) {
    text += String(repeating: "  ", count: depth) + content + "\n"
  }

  mutating func program(_ program: Program) {
    line("program {")
    depth += 1
    for (key, value) in program.metadata {
      line("metadata \(TextSpelling.quoted(key)) = \(TextSpelling.quoted(value))")
    }
    for function in program.functions { self.function(function) }
    depth -= 1
    line("}")
  }

  private mutating func function(_ function: Function) {
    let inputs = function.inputs.map { typed($0, function) }.joined(separator: ", ")
    let outputs = zip(function.outputNames, function.outputs)
      .map { "\(TextSpelling.quoted($0)) = \(name($1, function))" }.joined(separator: ", ")
    var head = "func \(TextSpelling.name(function.name, "@"))(\(inputs)) -> (\(outputs))"
    if let file = function.file { head += " file \(TextSpelling.quoted(file))" }
    if !function.bounds.isEmpty {
      let bounds = function.bounds.sorted { $0.key < $1.key }
        .map { "\(TextSpelling.quoted($0.key)) in \($0.value.lowerBound)...\($0.value.upperBound)" }
      head += " bounds(\(bounds.joined(separator: ", ")))"
    }
    for enumeration in function.enumerations {
      let symbols = enumeration.symbols.map { TextSpelling.quoted($0) }.joined(separator: ", ")
      let choices = enumeration.choices.map { "(\($0.map(String.init).joined(separator: ", ")))" }
      head += " sizes(\(symbols)) in (\(choices.joined(separator: ", ")))"
    }
    if !function.parameters.isEmpty {
      let parameters = function.parameters.map {
        "\(TextSpelling.quoted($0.name)) input \($0.input) = \(attribute(.tensor($0.contents)))"
      }
      head += " parameters(\(parameters.joined(separator: ", ")))"
    }
    if !function.states.isEmpty {
      let states = function.states.map { "\(TextSpelling.quoted($0.name)) input \($0.input) output \($0.output)" }
      head += " states(\(states.joined(separator: ", ")))"
    }
    head += function.features.spelled
    line(head + " {")
    operations(function.body, function)
    line("}")
  }

  private mutating func operations(_ block: Block, _ function: Function) {
    depth += 1
    for operation in block.operations { self.operation(operation, function) }
    depth -= 1
  }

  private mutating func operation(_ operation: Operation, _ function: Function) {
    var head = operation.outputs.map { name($0, function) }.joined(separator: ", ")
    if !head.isEmpty { head += " = " }
    head += operation.name + arguments(operation, function) + attributes(operation.op)
    var tail = ""
    if !operation.outputs.isEmpty {
      tail += " : " + operation.outputs.map { function.type($0).description }.joined(separator: ", ")
    }
    tail += location(operation.origin, in: function)
    if operation.blocks.isEmpty { return line(head + tail) }
    line(head + " {")
    depth += 1
    let names = type(of: operation.op).blockNames
    for (index, block) in operation.blocks.enumerated() {
      let inputs = block.inputs.map { typed($0, function) }.joined(separator: ", ")
      let outputs = block.outputs.map { name($0, function) }.joined(separator: ", ")
      line("\(index < names.count ? names[index] : "block")(\(inputs)) {")
      operations(block, function)
      line("} yield (\(outputs))")
    }
    depth -= 1
    line("}" + tail)
  }

  private func arguments(_ operation: Operation, _ function: Function) -> String {
    var parts: [String] = []
    for (port, values) in zip(type(of: operation.op).ports, operation.inputs) where !values.isEmpty {
      let names = values.map { name($0, function) }.joined(separator: ", ")
      parts.append("\(port.name) = \(port.arity == .variadic ? "(\(names))" : names)")
    }
    return parts.isEmpty ? "" : "(\(parts.joined(separator: ", ")))"
  }

  private mutating func attributes(_ op: any Operator) -> String {
    let defaults = type(of: op).init().attributes
    var parts: [String] = []
    for (name, value) in op.attributes {
      if defaults.contains(where: { $0.name == name && TextSpelling.isSame($0.value, value) }) { continue }
      parts.append("\(name) = \(attribute(value))")
    }
    return parts.isEmpty ? "" : " {\(parts.joined(separator: ", "))}"
  }

  private mutating func attribute(_ value: AttributeValue) -> String {
    guard case .tensor(let tensor) = value else { return TextSpelling.attribute(value) }
    guard tensor.count > inlineLimit, tensor.dtype != .string else { return TextSpelling.tensor(tensor) }
    blobs.append(tensor)
    return "\(tensor.type)@blob(\(blobs.count - 1))"
  }

  /// The file only where it is another than the function's.
  private func location(_ origin: Location, in function: Function) -> String {
    let fields = [
      ("file", origin.file == function.file ? nil : origin.file), ("func", origin.function), ("node", origin.node),
      ("op", origin.op), ("pass", origin.pass),
    ]
    let parts = fields.compactMap { key, value in value.map { "\(key) \(TextSpelling.quoted($0))" } }
    return parts.isEmpty ? "" : " loc(\(parts.joined(separator: " ")))"
  }

  private func name(_ id: ValueID, _ function: Function) -> String { TextSpelling.name(function[id].name, "%") }
  private func typed(_ id: ValueID, _ function: Function) -> String { "\(name(id, function)): \(function.type(id))" }
}
