import MLCCore
import MLCGraph
import MLCOps

/// `exp(x) / Σ exp(x)` along one axis, with or without the maximum taken off x before, becomes `softmax`.
///
/// Without it large x overflow where `softmax` does not.
package struct RecognizeSoftmax: Rewrite {
  package static let phase = Phase.fuse
  package static let tolerance = 1e-5
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard operation.op is RealDiv, let (powers, sum) = graph.pair(operation),
      let (reduction, op) = graph.producer(sum, as: ReduceSum.self), op.keepDims, reduction.inputs[0] == [powers],
      let exponent = graph.argument(of: powers, through: Exp.self), graph.type(exponent).dtype.isFloat,
      let axes = try? op.reducedAxes(rank: graph.type(exponent).rank), axes.count == 1
    else { return nil }
    var x = exponent
    if let (difference, _) = graph.producer(exponent, as: Sub.self), let (a, top) = graph.pair(difference),
      let (maximum, max) = graph.producer(top, as: ReduceMax.self), max.keepDims, maximum.inputs[0] == [a],
      (try? max.reducedAxes(rank: graph.type(a).rank)) == axes
    {
      x = a
    }
    return graph.patch(try graph.emit(Softmax(axis: axes[0]), x))
  }
}
