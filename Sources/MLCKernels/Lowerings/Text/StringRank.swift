import MLCCore
import MLCGraph
import MLCOps
import MLCText

extension StringRank: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    let count = context.program[x].shape.reduce(1, *)
    context.text(.rank, extents: [count], reading: [x], writing: [context.output()])
  }
}
