import MLCCore

extension Program {
  /// What the program is made of: its operations under the names of the operators, constants as values of those that
  /// read them.
  private var ownStructure: ModelStructure { .program(functions.map { $0.structure }) }

  /// The program, and what the source model is made of. Each operation that no node of a model is known of has the name
  /// of its first result as one, so that reports can tell of it.
  package var described: (program: Program, structure: ModelStructure) {
    var program = self
    for index in functions.indices { program.functions[index].body.nameOrigins(functions[index].values) }
    return (program, structure ?? program.ownStructure)
  }
}

extension Block {
  fileprivate mutating func nameOrigins(_ values: [Value]) {
    for index in operations.indices {
      if operations[index].origin.node == nil, let output = operations[index].outputs.first {
        operations[index].origin.node = values[output.index].name
        operations[index].origin.op = operations[index].name
      }
      for nested in operations[index].blocks.indices { operations[index].blocks[nested].nameOrigins(values) }
    }
  }
}

extension Function {
  fileprivate var structure: ModelStructure.Function {
    var constants: [ValueID: String] = [:]
    let block = structure(body, &constants)
    return ModelStructure.Function(name, inputs.map { named($0) }, block)
  }

  private func named(_ id: ValueID) -> ModelStructure.NamedType {
    ModelStructure.NamedType(self[id].name, type(id).description)
  }

  /// `constants` are the types of those that are known so far.
  private func structure(_ block: Block, _ constants: inout [ValueID: String]) -> ModelStructure.Block {
    var operations: [ModelStructure.Operation] = []
    for operation in block.operations {
      if operation.op is Const {
        for output in operation.outputs { constants[output] = type(output).description }
        continue
      }
      var inputs: [String: [ModelStructure.Binding]] = [:]
      for (port, values) in zip(Swift.type(of: operation.op).portNames, operation.inputs) where !values.isEmpty {
        inputs[port] = values.map { id in constants[id].map { .value($0) } ?? .name(self[id].name) }
      }
      operations.append(
        ModelStructure.Operation(
          operation.name,
          node: operation.origin.node ?? "",
          inputs: inputs,
          outputs: operation.outputs.map { named($0) },
          blocks: operation.blocks.map { structure($0, &constants) }
        )
      )
    }
    let outputs = block.outputs.map { self[$0].name }
    return ModelStructure.Block(block.inputs.map { named($0) }, operations, outputs: outputs)
  }
}
