import MLCCore
import MLCGraph
import MLCOps

/// `cond` with a known predicate becomes the branch that runs.
package struct InlineConstantCond: Rewrite {
  package static let phase = Phase.canonicalize
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard operation.op is Cond, let pred = operation.argument("pred"), let value = graph.constant(pred),
      value.count == 1
    else { return nil }
    let branch = operation.blocks[value.integers[0] != 0 ? 0 : 1]
    return graph.patch(all: branch.outputs, moving: branch.operations)
  }
}
