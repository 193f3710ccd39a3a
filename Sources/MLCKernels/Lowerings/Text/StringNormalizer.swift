import MLCCore
import MLCGraph
import MLCOps
import MLCText

extension StringNormalizer: Lowerable {
  /// The host gives the texts that are left at the front of as many as there may be, and their number, which becomes a
  /// late size.
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    let shape = context.program[x].shape
    if shape.count == 2 { context.requireEqual(shape[0], 1) }
    let count = shape.reduce(1, *)
    let most = Dim.largest(count, 1)
    let left = context.temporary("left", .string, [most])
    let number = context.temporary("count", .int64, [1])
    context.text(.normalize(try normalizer()), extents: [count], reading: [x], writing: [left, number])
    if let name = context.outputFact().shape.last!.symbol { context.bind(name, from: number, bound: most) }
    try context.map("front", to: context.output()) { (params, axes) throws(Diagnostic) in
      params.load(left, [axes.last!])
    }
  }
}
