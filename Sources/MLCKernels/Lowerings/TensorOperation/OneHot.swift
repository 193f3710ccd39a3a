import MLCCore
import MLCGraph
import MLCOps

extension OneHot: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let (indices, on, off) = (context.input("indices"), context.input("on_value"), context.input("off_value"))
    let shape = context.outputFact().shape
    let axis = try normalized(axis: axis, rank: shape.count, Self.name)
    try context.bindExtent(shape[axis], to: "depth", 0, bound: nil) { $0 }
    let output = context.output()
    let reader = context.program
    try context.map("one_hot", to: output) { (params, axes) throws(Diagnostic) in
      var place = axes
      place.remove(at: axis)
      let hot = reader.integer(indices, place, &params).wrapped(shape[axis])
      return .select(
        .compare(.equal, hot, .index(axes[axis], .int64)),
        reader.element(on, &params, [], in: []),
        reader.element(off, &params, [], in: [])
      )
    }
  }
}
