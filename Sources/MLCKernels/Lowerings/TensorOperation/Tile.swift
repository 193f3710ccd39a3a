import MLCCore
import MLCGraph
import MLCOps

extension Tile: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    let (own, shape) = (context.program[x].shape, context.outputFact().shape)
    for (axis, extent) in shape.enumerated() {
      try context.bindExtent(extent, to: "reps", axis, bound: nil) { $0 * .size(own[axis]) }
    }
    try context.rearrange("tile", from: x) { axes in
      axes.indices.map { own[$0] == shape[$0] ? axes[$0] : axes[$0].modulo(own[$0]) }
    }
  }
}
