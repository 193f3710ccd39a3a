import MLCCore
import MLCGraph
import MLCOps

extension Split: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    let axis = try normalized(axis: axis, rank: context.program[x].shape.count, Self.name)
    var offset: Dim = 0
    for piece in context.operation.outputs.indices {
      let output = context.output(piece)
      let start = offset
      try context.map("split", to: output) { (params, axes) throws(Diagnostic) in
        var index = axes
        index[axis] = axes[axis] + .dim(start)
        return params.load(x, index)
      }
      offset = offset + context.program[output].shape[axis]
    }
    context.requireEqual(offset, context.program[x].shape[axis])
  }
}
