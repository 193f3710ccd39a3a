import MLCCore
import MLCGraph
import MLCOps
import MLCText

extension RegexFullMatch: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    let count = context.program[x].shape.reduce(1, *)
    let match = TextOperation.match(try TextPattern(pattern))
    context.text(match, extents: [count], reading: [x], writing: [context.output()])
  }
}
