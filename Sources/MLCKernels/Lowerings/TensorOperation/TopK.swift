import MLCCore
import MLCGraph
import MLCOps

extension TopK: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    let shape = context.program[x].shape
    let axis = try normalized(axis: axis, rank: shape.count, Self.name)
    let count = context.outputFact().shape[axis]
    context.requireAtLeast(count, shape[axis])
    if let symbol = count.symbol, context.isUnbound(symbol) {
      let k = context.input("k")
      let reader = context.program
      try context.bind(count, "k", bound: shape[axis]) { (params) throws(Diagnostic) in
        reader.integer(k, reader[k].shape.map { _ in .constant(0) }, &params)
      }
    }
    let lines = Routine.Lines(shape, axis: axis)
    let values = context.output(0)
    let isStored = [.int32, .int64].contains(indicesDType)
    let indices = isStored ? context.output(1) : context.temporary("positions", .int64, context.outputFact(1).shape)
    var params = KernelParams()
    _ = params.read(context.alias(x, lines.extents))
    _ = params.write(context.alias(values, lines.extents(count)))
    _ = params.write(context.alias(indices, lines.extents(count)))
    let isWide = context.program[x].dtype.bitWidth > 32
    let routine = Routine.TopK(lines, count: count, ascending: ascending, isWide: isWide)
    _ = params.write(context.temporary("candidates", .int64, [routine.tasks, routine.area]))
    context.append("topk", params, .routine(.topK(routine)))
    if isStored { return }
    let dtype = indicesDType
    try context.map("cast", to: context.output(1)) { (params, axes) throws(Diagnostic) in
      .cast(params.load(indices, axes), dtype)
    }
  }
}
