import MLCCore
import MLCGraph
import MLCOps

extension LocalResponseNorm: Lowerable {
  package func lower(in context: inout LoweringContext) {
    let x = context.input("x")
    let (shape, dtype) = (context.program[x].shape, context.program[x].dtype.widened)
    let identity = shape.indices.map { Index.axis($0) }
    // Neighbours further away than there are channels do not exist.
    let reach = shape[1].constant.map { Swift.max($0 - 1, 0) } ?? .max
    let (before, after) = (Swift.min((size - 1) / 2, reach), Swift.min(size / 2, reach))
    let window = Axis(shape.count, Dim(before + after + 1))
    var neighbour = identity
    neighbour[1] = .axis(1) + .axis(window.id) + .constant(-before)
    var params = KernelParams()
    let value = params.load(x, neighbour)
    let isInside = Scalar.inside([(index: neighbour[1], extent: shape[1])])
    let spread = Scalar.stage(0) * .number(alpha / Double(size), dtype) + .number(k, dtype)
    let result = params.load(x, identity) / .binary(.pow, spread, .number(beta, dtype))
    let stages: [LoopNest.Stage] = [
      .reduce(.sum, axes: [window], value: .select(isInside, value * value, .number(0, dtype))),
      .store(param: params.write(context.output()), index: identity, axes: [], value: result),
    ]
    let axes = shape.indices.map { Axis($0, shape[$0]) }
    context.append(Self.name, params, .loopNest(LoopNest(axes, stages)))
  }
}
