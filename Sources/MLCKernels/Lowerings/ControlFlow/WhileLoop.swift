import MLCCore
import MLCGraph
import MLCOps

extension WhileLoop: Lowerable {
  /// Each carried value has a tensor that holds it from round to round. Extents that change are late sizes: the largest
  /// that the body gives, or open ones where it makes them grow.
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let operation = context.operation
    var carried: [KernelProgram.Loop.Carried] = []
    var sizes: [KernelProgram.Loop.Size] = []
    for (number, value) in operation.arguments("loop_vars").enumerated() {
      let state = context.beginCarrying(value, number, as: operation.blocks.map { $0.inputs[number] }, &sizes)
      carried.append(.init(state, next: state))
    }
    let head = try context.lowered(operation.blocks[0])
    let condition = context.tensor(of: operation.blocks[0].outputs[0])
    var body = try context.lowered(operation.blocks[1])
    let outer = context.steps
    context.steps = body
    for (number, value) in operation.blocks[1].outputs.enumerated() {
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
  ) -> TensorID {
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
    copy(source, to: state, family: "carry")
    return state
  }

  /// The value that the body yields as `number`, in a temporary of its own.
  fileprivate mutating func next(of value: ValueID, _ number: Int) throws(Diagnostic) -> TensorID {
    let source = tensor(of: value)
    let next = temporary("next\(number)", program[source].dtype, program[source].shape)
    copy(source, to: next, family: "yield")
    return next
  }
}
