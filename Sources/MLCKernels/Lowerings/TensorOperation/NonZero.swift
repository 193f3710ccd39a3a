import MLCCore
import MLCGraph
import MLCOps

extension NonZero: Lowerable {
  /// A routine finds the positions and their number, which becomes a late size; coordinates are divisions of positions.
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    let own = context.program[x].shape
    let shape = own.isEmpty ? [1] : own
    let total = shape.reduce(1, *)
    let positions = context.temporary("positions", .int64, [total])
    let count = context.temporary("count", .int64, [1])
    var found = KernelParams()
    _ = found.read(context.alias(x, [total]))
    _ = found.write(positions)
    _ = found.write(count)
    context.append("non_zero", found, .routine(.nonZero(count: total)))
    let result = context.outputFact().shape
    let size = result[transposed ? 1 : 0]
    if let name = size.symbol { context.bind(name, from: count, bound: total) }
    var params = KernelParams()
    let position = Index.value(params.load(positions, [.axis(0)]))
    let dtype = context.outputFact().dtype
    let output = params.write(context.output())
    var stride: Dim = 1
    var stages: [LoopNest.Stage] = []
    for axis in shape.indices.reversed() {
      let coordinate = position.dividedFloor(by: stride).modulo(shape[axis])
      let place: [Index] = transposed ? [.constant(axis), .axis(0)] : [.axis(0), .constant(axis)]
      stages.append(.store(param: output, index: place, axes: [], value: .index(coordinate, dtype)))
      stride = stride * shape[axis]
    }
    context.append("coordinates", params, .loopNest(LoopNest([Axis(0, size)], stages)))
  }
}
