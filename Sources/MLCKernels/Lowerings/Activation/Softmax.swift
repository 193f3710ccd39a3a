import MLCCore
import MLCGraph
import MLCOps

extension Softmax: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    let (shape, stored) = (context.program[x].shape, context.program[x].dtype)
    let axis = try normalized(axis: axis, rank: shape.count, "softmax")
    let row = ReducedAxes([axis], of: shape, keepDims: true)
    var params = KernelParams()
    let power = Scalar.unary(.exp, params.load(x, row.index) - .stage(0))
    let output = context.output()
    if stored.widened != stored {
      // Powers kept in 16 bits would be rounded twice: they are computed again instead.
      let stages: [LoopNest.Stage] = [
        .reduce(.max, axes: row.inner, value: params.load(x, row.index)),
        .reduce(.sum, axes: row.inner, value: power),
        .compute(.unary(.inverse, .stage(1))),
        .store(param: params.write(output), index: row.index, axes: row.inner, value: power * .stage(2)),
      ]
      return context.append("softmax", params, .loopNest(LoopNest(row.outer, stages)))
    }
    let y = params.readWrite(output)
    let stages: [LoopNest.Stage] = [
      .reduce(.max, axes: row.inner, value: params.load(x, row.index)),
      .store(param: y, index: row.index, axes: row.inner, value: power),
      .reduce(.sum, axes: row.inner, value: .load(param: y, row.index)),
      .compute(.unary(.inverse, .stage(2))),
      .store(param: y, index: row.index, axes: row.inner, value: .load(param: y, row.index) * .stage(3)),
    ]
    context.append("softmax", params, .loopNest(LoopNest(row.outer, stages)))
  }
}

extension LogSoftmax: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    let shape = context.program[x].shape
    let axis = try normalized(axis: axis, rank: shape.count, "log_softmax")
    let row = ReducedAxes([axis], of: shape, keepDims: true)
    var params = KernelParams()
    let value = params.load(x, row.index)
    let stages: [LoopNest.Stage] = [
      .reduce(.max, axes: row.inner, value: value),
      .reduce(.sum, axes: row.inner, value: .unary(.exp, value - .stage(0))),
      .compute(.unary(.log, .stage(1))),
      .store(
        param: params.write(context.output()),
        index: row.index,
        axes: row.inner,
        value: value - .stage(0) - .stage(2)
      ),
    ]
    context.append("log_softmax", params, .loopNest(LoopNest(row.outer, stages)))
  }
}
