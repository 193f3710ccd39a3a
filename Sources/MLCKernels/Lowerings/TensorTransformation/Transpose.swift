import MLCCore
import MLCGraph
import MLCOps

extension Transpose: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let rank = context.fact("x").rank
    let order = try normalized(axes: perm, rank: rank, Self.name)
    try context.rearrange("transpose", from: context.input("x")) { axes in
      var index = axes
      for (axis, source) in order.enumerated() { index[source] = axes[axis] }
      return index
    }
  }
}
