import MLCCore
import MLCGraph
import MLCOps

extension WhileLoop: Lowerable {
  /// Each carried value has a tensor that holds it from round to round. Extents that change are late sizes: the largest
  /// that the body gives, or open ones where it makes them grow. A value that the body only scatters into stays where
  /// it is, so that a round takes no longer the larger it is.
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let operation = context.operation
    let updated = context.function.valuesUpdatedInPlace(by: operation)
    context.overwriting.formUnion(updated.map { operation.blocks[1].outputs[$0] })
    var carried: [KernelProgram.Loop.Carried] = []
    var sizes: [KernelProgram.Loop.Size] = []
    for (number, value) in operation.arguments("loop_vars").enumerated() {
      let params = operation.blocks.map { $0.inputs[number] }
      let state = try context.beginCarrying(value, number, as: params, &sizes)
      carried.append(.init(state, next: state))
    }
    let head = try context.lowered(operation.blocks[0])
    let condition = context.tensor(of: operation.blocks[0].outputs[0])
    var body = try context.lowered(operation.blocks[1])
    let outer = context.steps
    context.steps = body
    for (number, value) in operation.blocks[1].outputs.enumerated() where !updated.contains(number) {
      carried[number].next = try context.next(of: value, number)
    }
    body = context.steps
    context.steps = outer
    context.append(.loop(.init(head: head, condition: condition, body: body, carried: carried, sizes: sizes)))
  }
}

extension LoweringContext {
  /// The tensor of carried value `number`, which is `initial` at first and `params` inside the blocks.
  /// `sizes` becomes longer by the extents of it that change.
  fileprivate mutating func beginCarrying(
    _ initial: ValueID,
    _ number: Int,
    as params: [ValueID],
    _ sizes: inout [KernelProgram.Loop.Size]
  ) throws(Diagnostic) -> TensorID {
    let source = tensor(of: initial)
    let (own, shape) = (program[source].shape, outputFact(number).shape)
    let next = function.type(operation.blocks[1].outputs[number]).shape
    var shapes = [shape]
    for param in params where !shapes.contains(function.type(param).shape) { shapes.append(function.type(param).shape) }
    for held in shapes {
      for (axis, extent) in held.enumerated() where extent != own[axis] {
        guard let name = extent.symbol, isUnbound(name) else { continue }
        let isGrowing = next[axis].symbols.contains { isUnbound($0) || $0 == name }
        declare(name, bound: isGrowing ? nil : Dim.max(own[axis], next[axis]))
        append(.setSize(name, own[axis]))
        sizes.append(.init(name, next[axis]))
      }
    }
    let state = output(number)
    for param in params {
      tensors[param] = alias(state, function.type(param).shape)
    }
    if let number = uniformElement(of: source) {
      let reader = program
      try map("carry", to: state) { (params, _) throws(Diagnostic) in reader.element(number, &params, [], in: []) }
    } else {
      copy(source, to: state, family: "carry")
    }
    return state
  }

  /// The one number that all elements of a constant are, so that they need not be kept.
  private mutating func uniformElement(of source: TensorID) -> TensorID? {
    guard case .constant(let tensor) = program[source].kind, tensor.count > 1, !tensor.dtype.isPacked,
      tensor.dtype != .string
    else { return nil }
    let width = tensor.dtype.bitWidth / 8
    let isUniform = tensor.withBytes { bytes in bytes.dropFirst(width).elementsEqual(bytes.dropLast(width)) }
    return isUniform ? constant(tensor.picking([0], []), "element") : nil
  }

  /// The value that the body yields as `number`, in a temporary of its own.
  fileprivate mutating func next(of value: ValueID, _ number: Int) throws(Diagnostic) -> TensorID {
    let source = tensor(of: value)
    let next = temporary("next\(number)", program[source].dtype, program[source].shape)
    copy(source, to: next, family: "yield")
    return next
  }
}

extension Function {
  /// The numbers of values that the body of `loop` only scatters into, and yields.
  fileprivate func valuesUpdatedInPlace(by loop: Operation) -> Set<Int> {
    let (head, body) = (loop.blocks[0], loop.blocks[1])
    let readInHead = Set(head.uses)
    var uses: [ValueID: Int] = [:]
    for value in body.uses { uses[value, default: 0] += 1 }
    var updates: [ValueID: Operation] = [:]
    for operation in body.operations where operation.op is ScatterNd || operation.op is ScatterAlongAxis {
      updates[operation.outputs[0]] = operation
    }
    return Set(
      body.outputs.indices.filter { number in
        let (param, result) = (body.inputs[number], body.outputs[number])
        guard let update = updates[result], update.argument("data") == param, uses[param] == 1, uses[result] == 1,
          !readInHead.contains(head.inputs[number]), type(param) == type(result)
        else { return false }
        return update.isPlainUpdate || type(param).dtype.widened == type(param).dtype
      }
    )
  }
}

extension Operation {
  /// Whether it is a scatter that replaces elements.
  fileprivate var isPlainUpdate: Bool {
    (op as? ScatterNd)?.mode == "update" || (op as? ScatterAlongAxis)?.mode == "update"
  }
}
