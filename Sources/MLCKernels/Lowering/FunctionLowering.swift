import MLCCore
import MLCGraph

extension KernelProgram {
  /// The kernels of `function`. Throws `lower.unsupported` for an operator without lowering, naming its node,
  /// `lower.unknown-size`, what the lowerings throw, and `budget.time`.
  package static func lowering(_ function: Function, budget: Budget = Budget()) throws(Diagnostic) -> KernelProgram {
    var context = LoweringContext(function: function, budget: budget)
    for (index, input) in function.inputs.enumerated() {
      let type = function.type(input)
      context.tensors[input] = context.program.add(
        KernelTensor(function[input].name, type.dtype, type.shape, .input(index))
      )
    }
    context.program.symbols = function.inputSymbols
    try context.checkInputs()
    try context.lower(function.body)
    try context.bindOutputs()
    context.program.steps = context.steps
    return context.program
  }
}

extension Function {
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
      if operation.outputs.count == 1, outputFact().dtype.isInteger, let sizes = outputFact().elements {
        lowerSizes(sizes)
        continue
      }
      guard let op = operation.op as? any Lowerable else {
        throw Diagnostic("lower.unsupported", "no kernel for this operator", kind: .unsupported, at: origin)
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

  /// Requires that no extent of a result is negative. Throws `lower.unknown-size` when one has no value as the program runs.
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

  /// Makes each function output a tensor of its own, copying where a value is an input, a constant, an alias or is
  /// returned twice.
  fileprivate mutating func bindOutputs() throws(Diagnostic) {
    var taken: Set<TensorID> = []
    for (index, value) in function.outputs.enumerated() {
      let source = tensor(of: value)
      if case .temporary = program[source].kind, taken.insert(source).inserted {
        program[source].kind = .output(index)
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
