import MLCCore

/// Reads programs from text.
struct TextParser {
  var lexer: TextLexer
  let blobs: [Tensor]
  let named: (String) -> (any Operator.Type)?
  private var function = Function()
  private var names: [String: ValueID] = [:]
  private var depth = 0

  init(lexer: TextLexer, blobs: [Tensor], named: @escaping (String) -> (any Operator.Type)?) {
    (self.lexer, self.blobs, self.named) = (lexer, blobs, named)
  }

  mutating func program() throws(Diagnostic) -> Program {
    try expect(word: "program")
    try expect("{")
    var program = Program([])
    while try !accept("}") {
      if try accept(word: "metadata") {
        let key = try string()
        try expect("=")
        program.metadata.append((key, try string()))
      } else {
        try expect(word: "func")
        program.functions.append(try oneFunction())
      }
    }
    guard try lexer.next() == .end else { throw lexer.problem("text after the end of the program") }
    guard !program.functions.isEmpty else { throw lexer.problem("a program has at least one function") }
    return program
  }

  private mutating func oneFunction() throws(Diagnostic) -> Function {
    guard case .name(UInt8(ascii: "@"), let name) = try lexer.next() else {
      throw lexer.problem("a function has a name, '@main'")
    }
    function = Function(name)
    names = [:]
    function.inputs = try typedNames()
    guard try lexer.next() == .arrow else { throw lexer.problem("'->' is missing") }
    let results = try outputs()
    if try accept(word: "file") { function.file = try string() }
    if try accept(word: "bounds") { try bounds() }
    while try accept(word: "sizes") { try enumeration() }
    if try accept(word: "parameters") { try parameters() }
    if try accept(word: "states") { try states() }
    if try accept(word: "features") { function.features = try features() }
    try expect("{")
    var body = Block()
    while try !accept("}") { body.operations.append(try operation()) }
    for (name, value) in results {
      function.outputNames.append(name)
      body.outputs.append(try lookUp(value))
    }
    function.body = body
    for state in function.states {
      guard function.inputs.indices.contains(state.input), results.indices.contains(state.output) else {
        throw lexer.problem("state '\(state.name)' has no input or no output")
      }
    }
    for parameter in function.parameters {
      let place = parameter.input
      guard function.inputs.indices.contains(place), parameter.fits(function.type(function.inputs[place])) else {
        throw lexer.problem("parameter '\(parameter.name)' has no input that it fits")
      }
    }
    if let problem = function.featureProblem { throw lexer.problem(problem) }
    return function
  }

  /// `("y" = %y, …)`
  private mutating func outputs() throws(Diagnostic) -> [(String, String)] {
    var results: [(String, String)] = []
    try list { parser throws(Diagnostic) in
      let name = try parser.string()
      try parser.expect("=")
      results.append((name, try parser.valueName()))
    }
    return results
  }

  private mutating func bounds() throws(Diagnostic) {
    try list { parser throws(Diagnostic) in
      let symbol = try parser.string()
      try parser.expect(word: "in")
      let low = try parser.integer()
      guard try parser.lexer.next() == .dots else { throw parser.lexer.problem("'...' is missing") }
      let high = try parser.integer()
      guard low <= high else { throw parser.lexer.problem("a range from \(low) to \(high) is empty") }
      parser.function.bounds[symbol] = low...high
    }
  }

  /// `("h", "w") in ((224, 224), (320, 320))`
  private mutating func enumeration() throws(Diagnostic) {
    var (symbols, choices): ([String], [[Int]]) = ([], [])
    try list { parser throws(Diagnostic) in symbols.append(try parser.string()) }
    try expect(word: "in")
    try list { parser throws(Diagnostic) in
      var choice: [Int] = []
      try parser.list { parser throws(Diagnostic) in choice.append(try parser.integer()) }
      choices.append(choice)
    }
    guard let enumeration = SizeEnumeration(symbols, choices: choices),
      enumeration.isDisjoint(with: function.enumerations)
    else { throw lexer.problem("every choice has a number for each size, and each size is listed once") }
    function.enumerations.append(enumeration)
  }

  private mutating func parameters() throws(Diagnostic) {
    try list { parser throws(Diagnostic) in
      let name = try parser.string()
      try parser.expect(word: "input")
      let input = try parser.integer()
      try parser.expect("=")
      guard case .tensor(let contents) = try parser.attributeValue() else {
        throw parser.lexer.problem("parameter '\(name)' holds no tensor")
      }
      parser.function.parameters.append(Parameter(name, input: input, contents))
    }
  }

  private mutating func states() throws(Diagnostic) {
    try list { parser throws(Diagnostic) in
      let name = try parser.string()
      try parser.expect(word: "input")
      let input = try parser.integer()
      try parser.expect(word: "output")
      parser.function.states.append(State(name, input: input, output: try parser.integer()))
    }
  }

  /// `(%a: fp32[2], …)`, each defined.
  private mutating func typedNames() throws(Diagnostic) -> [ValueID] {
    var values: [ValueID] = []
    try list { parser throws(Diagnostic) in
      let name = try parser.valueName()
      try parser.expect(":")
      values.append(try parser.define(name, Fact(try parser.type())))
    }
    return values
  }

  // MARK: Operations

  private mutating func operation() throws(Diagnostic) -> Operation {
    var results: [String] = []
    while case .name = try lexer.peek() {
      results.append(try valueName())
      if try !accept(",") { break }
    }
    if !results.isEmpty { try expect("=") }
    let spelled = try word()
    guard let type = named(spelled) else { throw lexer.problem("there is no operator '\(spelled)'", "text.operator") }
    var op: any Operator = type.init()
    let inputs = try arguments(type)
    if !type.blockNames.isEmpty {
      try attributesBeforeBlocks(&op)
    } else if try lexer.peek() == .mark(UInt8(ascii: "{")) {
      try attributes(&op)
    }
    let blocks = type.blockNames.isEmpty ? [] : try nestedBlocks(type)
    let types = try accept(":") ? try resultTypes() : nil
    var origin = try accept(word: "loc") ? try location() : Location()
    origin.file = origin.file ?? function.file
    let facts = try inferred(op, inputs, blocks, label: results.first ?? spelled)
    guard facts.count == results.count, types.map({ $0.count == results.count }) ?? true else {
      throw lexer.problem("\(spelled) has \(facts.count) results, not \(results.count)", "text.results")
    }
    var outputs: [ValueID] = []
    for (index, name) in results.enumerated() {
      outputs.append(try define(name, try reconciled(facts[index], types?[index])))
    }
    return Operation(op, inputs, outputs: outputs, blocks: blocks, origin: origin)
  }

  private func inferred(_ op: any Operator, _ inputs: [[ValueID]], _ blocks: [Block], label: String) throws(Diagnostic)
    -> [Fact]
  {
    do throws(Diagnostic) {
      try checkArguments(op, inputs, in: function)
      return try infer(op, inputs, blocks: blocks, label: label, in: function)
    } catch {
      var located = error
      located.message = "line \(lexer.takenLine): \(error.message)"
      throw located
    }
  }

  /// The inferred fact under the written type, which may say other symbols or more numbers.
  private func reconciled(_ fact: Fact, _ written: TensorType?) throws(Diagnostic) -> Fact {
    guard let written else { return fact }
    let fits = zip(written.shape, fact.shape).allSatisfy { $0 == $1 || $0.constant == nil || $1.constant == nil }
    guard written.dtype == fact.dtype, written.rank == fact.rank, fits else {
      throw lexer.problem("the result is \(fact.type), not \(written)", "text.type")
    }
    var fact = fact
    fact.type = written
    return fact
  }

  private mutating func arguments(_ type: any Operator.Type) throws(Diagnostic) -> [[ValueID]] {
    let ports = type.portNames
    var inputs = [[ValueID]](repeating: [], count: ports.count)
    guard try lexer.peek() == .mark(UInt8(ascii: "(")) else { return inputs }
    try list { parser throws(Diagnostic) in
      let name = try parser.word()
      guard let port = ports.firstIndex(of: name) else {
        throw parser.lexer.problem("\(type.name) has no input '\(name)'", "text.argument")
      }
      try parser.expect("=")
      if try parser.lexer.peek() == .mark(UInt8(ascii: "(")) {
        try parser.list { inner throws(Diagnostic) in inputs[port].append(try inner.lookUp(try inner.valueName())) }
      } else {
        inputs[port].append(try parser.lookUp(try parser.valueName()))
      }
    }
    return inputs
  }

  private mutating func nestedBlocks(_ type: any Operator.Type) throws(Diagnostic) -> [Block] {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 64 else { throw lexer.problem("blocks nest more than 64 deep", "text.depth") }
    try expect("{")
    var blocks: [Block] = []
    for name in type.blockNames {
      try expect(word: name)
      let outer = names
      var block = Block()
      block.inputs = try typedNames()
      try expect("{")
      while try !accept("}") { block.operations.append(try operation()) }
      try expect(word: "yield")
      try list { parser throws(Diagnostic) in block.outputs.append(try parser.lookUp(try parser.valueName())) }
      names = outer
      blocks.append(block)
    }
    try expect("}")
    return blocks
  }

  private mutating func resultTypes() throws(Diagnostic) -> [TensorType] {
    var types = [try type()]
    while try accept(",") { types.append(try type()) }
    return types
  }

  private mutating func location() throws(Diagnostic) -> Location {
    try expect("(")
    var location = Location()
    while try !accept(")") {
      switch try word() {
      case "file": location.file = try string()
      case "func": location.function = try string()
      case "node": location.node = try string()
      case "op": location.op = try string()
      case "pass": location.pass = try string()
      default: throw lexer.problem("a location has file, func, node, op and pass")
      }
    }
    return location
  }

  // MARK: Values

  private mutating func define(_ name: String, _ fact: Fact) throws(Diagnostic) -> ValueID {
    guard names[name] == nil else { throw lexer.problem("'\(name)' is defined twice", "text.redefinition") }
    let id = function.addValue(name, fact)
    names[name] = id
    return id
  }

  private func lookUp(_ name: String) throws(Diagnostic) -> ValueID {
    guard let id = names[name] else { throw lexer.problem("'\(name)' is not defined here", "text.undefined") }
    return id
  }
}
