import MLCCore
import MLCGraph
import MLCOps

extension Reverse: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    let shape = context.program[x].shape
    let turned = axes.isEmpty ? Array(shape.indices) : try normalized(axes: axes, rank: shape.count, Self.name)
    try context.rearrange("reverse", from: x) { axes in
      axes.indices.map { turned.contains($0) ? .dim(shape[$0] - 1) + axes[$0] * -1 : axes[$0] }
    }
  }
}
