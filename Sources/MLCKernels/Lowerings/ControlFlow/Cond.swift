import MLCCore
import MLCGraph
import MLCOps

extension Cond: Lowerable {
  /// Both sides end by copying what they yield into shared tensors. An extent on which they differ is a late size, set
  /// by the side that runs.
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let operation = context.operation
    let condition = context.input("pred")
    let shapes = operation.outputs.indices.map { context.outputFact($0).shape }
    let yes = try context.lowered(operation.blocks[0])
    let no = try context.lowered(operation.blocks[1])
    let sides = operation.blocks.map { block in block.outputs.map { context.function.type($0).shape } }
    for (output, shape) in shapes.enumerated() {
      for (axis, extent) in shape.enumerated() where sides[0][output][axis] != sides[1][output][axis] {
        guard let name = extent.symbol else { continue }
        context.declare(name, bound: Dim.max(sides[0][output][axis], sides[1][output][axis]))
      }
    }
    let outer = context.steps
    var branches: [[KernelProgram.Step]] = []
    for (block, steps) in zip(operation.blocks, [yes, no]) {
      context.steps = steps
      for (output, value) in block.outputs.enumerated() {
        context.yield(value, as: output, shape: shapes[output])
      }
      branches.append(context.steps)
    }
    context.steps = outer
    context.append(.branch(condition: condition, then: branches[0], otherwise: branches[1]))
  }
}

extension LoweringContext {
  /// Copies what a block yields into output `number` of the operation, whose late extents it sets.
  fileprivate mutating func yield(_ value: ValueID, as number: Int, shape: [Dim]) {
    let source = tensor(of: value)
    let own = program[source].shape
    for (mine, theirs) in zip(own, shape) where mine != theirs {
      if let name = theirs.symbol { append(.setSize(name, mine)) }
    }
    let target = output(number)
    copy(source, to: target, family: "yield")
  }
}
