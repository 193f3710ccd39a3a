import MLCCore
import MLCGraph
import MLCOps
import MLCText

extension StringSplit: Lowerable {
  /// The host counts the pieces, whose greatest number becomes a late size that nothing bounds, and then gives them.
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    let count = context.program[x].shape.reduce(1, *)
    let most = context.temporary("most", .int64, [1])
    context.text(.countPieces(split), extents: [count], reading: [x], writing: [context.output(1), most])
    let width = context.outputFact(0).shape.last!
    if let name = width.symbol { context.bind(name, from: most, bound: nil) }
    context.text(.split(split), extents: [count, width], reading: [x], writing: [context.output(0)])
  }
}
