import MLCCore
import MLCGraph
import MLCOps

/// Operators that give the same elements under another shape: no kernel.
extension MLCOps.Reshape: Lowerable {
  package func lower(in context: inout LoweringContext) { context.setOutput(to: context.input("x")) }
}
extension Squeeze: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let shape = context.fact("x").shape
    for axis in try normalized(axes: axes, rank: shape.count, Self.name) { context.requireEqual(shape[axis], 1) }
    context.setOutput(to: context.input("x"))
  }
}
extension ExpandDims: Lowerable {
  package func lower(in context: inout LoweringContext) { context.setOutput(to: context.input("x")) }
}
