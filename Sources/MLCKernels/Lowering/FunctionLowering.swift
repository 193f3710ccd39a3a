import MLCCore
import MLCGraph

extension KernelProgram {
  /// The kernels of `function`. A size that the function leaves open though one number alone fits, as the channels
  /// before a convolution by a constant, is that number throughout. Throws `lower.unsupported` for an operator without
  /// lowering, naming its node, `lower.unknown-size`, what the lowerings throw, and `budget.time`. Sizes that nothing
  /// bounds before the program runs may multiply to `sizeLimit` in one tensor.
  package static func lowering(
    _ function: Function,
    budget: Budget = Budget(),
    sizeLimit: Int = usualSizeLimit
  ) throws(Diagnostic) -> KernelProgram {
    let open = try literally(function, budget, sizeLimit)
    let fixed = open.fixedSizes
    if fixed.isEmpty { return open }
    var program = try literally(function.substituting(fixed.mapValues { Dim($0) }), budget, sizeLimit)
    program.symbols = open.symbols
    for (name, size) in fixed.sorted(by: { $0.key < $1.key }) {
      program.requirements += SizeRequirement.equality(.symbol(name), Dim(size))
    }
    return program
  }

  /// Sizes that the requirements leave no choice.
  private var fixedSizes: [String: Int] {
    var least: [String: Int] = [:]
    var most: [String: Int] = [:]
    for requirement in requirements where requirement.extents.isEmpty {
      guard let name = requirement.value.symbols.first, requirement.value.symbols.count == 1 else { continue }
      let (up, down) = (requirement.value - .symbol(name), requirement.value + .symbol(name))
      if let number = up.constant { least[name] = max(least[name] ?? 0, -number) }
      if let number = down.constant { most[name] = min(most[name] ?? .max, number) }
    }
    return least.filter { most[$0.key] == $0.value }
  }

  private static func literally(
    _ function: Function,
    _ budget: Budget,
    _ sizeLimit: Int
  ) throws(Diagnostic) -> KernelProgram {
    var context = LoweringContext(function: function, budget: budget)
    context.program.sizeLimit = sizeLimit
    for (index, input) in function.inputs.enumerated() {
      let type = function.type(input)
      context.tensors[input] = context.program.add(
        KernelTensor(function[input].name, type.dtype, type.shape, .input(index))
      )
    }
    context.program.symbols = function.inputSymbols
    try context.checkOperators()
    try context.checkInputs()
    try context.lower(function.body)
    try context.bindOutputs()
    context.program.states = function.states.map { StateMemory(input: $0.input, output: $0.output) }
    context.program.steps = context.steps
    context.program.storeInBytes()
    context.program.numberTexts()
    return context.program
  }
}

extension Function {
  /// With dims in the place of names, in every type.
  func substituting(_ sizes: [String: Dim]) -> Function {
    var function = self
    for index in values.indices where !values[index].fact.isConstant {
      function.values[index].fact = values[index].fact.substituting(sizes)
    }
    return function
  }

  /// The sizes that the inputs' shapes name, in order of appearance. A size that appears only inside an expression
  /// cannot be bound from a shape.
  package var inputSymbols: [String] {
    var names: [String] = []
    for extent in inputs.flatMap({ type($0).shape }) {
      if let name = extent.symbol, !names.contains(name) { names.append(name) }
    }
    return names
  }
}

extension LoweringContext {
  mutating func lower(_ block: Block) throws(Diagnostic) {
    for operation in block.operations {
      self.operation = operation
      if operation.outputs.allSatisfy({ function.fact($0).value != nil }) { continue }
      if let sizes = sizes(of: operation) {
        lowerSizes(sizes)
        continue
      }
      guard let op = operation.op as? any Lowerable else {
        preconditionFailure("'\(operation.name)' has no kernel")
      }
      do {
        try budget.checkTime()
        try op.lower(in: &self)
      } catch {
        var located = error
        located.location = error.location.within(origin)
        throw located
      }
      try checkSizes()
    }
  }

  /// Throws `lower.unsupported` when operators have no lowering, naming every node with one.
  fileprivate mutating func checkOperators() throws(Diagnostic) {
    var nodes: [Location] = []
    visit(function.body) { context in
      if !(context.operation.op is any Lowerable) { nodes.append(context.origin) }
    }
    guard let first = nodes.first else { return }
    throw Diagnostic(
      "lower.unsupported",
      "no kernel for this operator",
      kind: .unsupported,
      at: first,
      notes: nodes.dropFirst().prefix(31).map { "nor for \($0)" }
    )
  }

  /// Calls `body` at every operation that is to be lowered, those of nested blocks included.
  private mutating func visit(_ block: Block, _ body: (LoweringContext) -> Void) {
    for operation in block.operations {
      self.operation = operation
      if isKnown(operation) { continue }
      body(self)
      for inner in operation.blocks { visit(inner, body) }
    }
  }

  /// Whether the results are constants, or sizes.
  private func isKnown(_ operation: Operation) -> Bool {
    operation.outputs.allSatisfy { function.fact($0).value != nil } || sizes(of: operation) != nil
  }

  private func sizes(of operation: Operation) -> [Dim]? {
    guard operation.outputs.count == 1, function.fact(operation.outputs[0]).dtype.isInteger else { return nil }
    return function.fact(operation.outputs[0]).elements
  }

  /// Throws `lower.unknown-size` when a size stands in an input's extent, but no extent is that size itself.
  fileprivate func checkInputs() throws(Diagnostic) {
    let known = Set(program.symbols)
    for input in function.inputs {
      let type = function.type(input)
      let names = type.shape.reduce(into: Set<String>()) { $0.formUnion($1.symbols) }
      guard let name = names.subtracting(known).min() else { continue }
      throw Diagnostic(
        "lower.unknown-size",
        "input '\(function[input].name)' is \(type), but no input has an extent that is '\(name)' itself",
        kind: .unsupported,
        at: Location(file: function.file)
      )
    }
  }

  /// Requires that no extent of a result is negative. Throws `lower.unknown-size` when one has no value as the program
  /// runs.
  private mutating func checkSizes() throws(Diagnostic) {
    for output in operation.outputs {
      for extent in function.type(output).shape { requireAtLeast(0, extent) }
      let names = function.type(output).shape.reduce(into: Set<String>()) { $0.formUnion($1.symbols) }
      guard let name = names.sorted().first(where: { isUnbound($0) }) else { continue }
      throw Diagnostic(
        "lower.unknown-size",
        "the extent '\(name)' depends on data and has no bound",
        kind: .unsupported,
        at: origin
      )
    }
  }

  /// Makes each function output memory of its own, copying where a value is an input, a constant or another shape of
  /// one, or its elements are returned twice.
  fileprivate mutating func bindOutputs() throws(Diagnostic) {
    var taken: Set<TensorID> = []
    for (index, value) in function.outputs.enumerated() {
      let source = tensor(of: value)
      let root = program.root(source)
      if case .temporary = program[root].kind, taken.insert(root).inserted {
        program[root].kind = .output(index)
        continue
      }
      let type = function.type(value)
      let name = function.outputNames[index]
      let output = program.add(KernelTensor(name, program[source].dtype, type.shape, .output(index)))
      operation = Operation(Const(), [], outputs: [value], origin: Location(node: name, op: "output"))
      try map("copy", to: output) { (params, axes) throws(Diagnostic) in params.load(source, axes) }
    }
  }
}
