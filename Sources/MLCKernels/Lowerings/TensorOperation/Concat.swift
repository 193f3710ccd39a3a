import MLCCore
import MLCGraph
import MLCOps

extension Concat: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let values = context.inputs("values")
    let output = context.output()
    let axis = try normalized(axis: axis, rank: context.program[output].shape.count, Self.name)
    var offset: Dim = 0
    for value in values {
      let (shape, whole) = (context.program[value].shape, context.program[output].shape)
      for other in shape.indices where other != axis { context.requireEqual(shape[other], whole[other]) }
      let extent = shape[axis]
      if extent != 0 { context.copy(value, to: output, axis: axis, offset: offset, family: "concat") }
      offset = offset + extent
    }
  }
}
