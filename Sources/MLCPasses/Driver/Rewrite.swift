import MLCCore
import MLCGraph

/// A pass that looks at one operation at a time.
package protocol Rewrite: Pass {
  /// What stands in for `operation`, or `nil` to leave it.
  ///
  /// New operations are made with `graph.emit`; they may use every value that is defined before `operation`. What was
  /// emitted before `nil` is returned is forgotten.
  func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch?
}

/// Operations that go in place of one, and the values that replace its outputs, in their order.
package struct Patch: Sendable {
  package var operations: [Operation]
  package var replacements: [ValueID]
}

extension Rewrite {
  package func run(_ function: inout Function) throws(Diagnostic) -> PassChange {
    var walk = RewriteWalk(rewrite: self, graph: GraphEditor(function))
    let body = try walk.block(function.body)
    if walk.change.isEmpty { return walk.change }
    function = walk.graph.function
    function.body = body
    return walk.change
  }
}

/// One walk over a function, operations in order, nested blocks before the operation that holds them.
private struct RewriteWalk<R: Rewrite> {
  let rewrite: R
  var graph: GraphEditor
  var change = PassChange()

  mutating func block(_ source: Block) throws(Diagnostic) -> Block {
    var result = source
    result.operations.removeAll(keepingCapacity: true)
    for var operation in source.operations {
      graph.substitute(in: &operation.inputs)
      for index in operation.blocks.indices { operation.blocks[index] = try block(operation.blocks[index]) }
      graph.begin(operation)
      let location = Location(node: operation.origin.node, op: operation.origin.op, pass: R.name)
      let current = operation
      let patch = try locating(location) { () throws(Diagnostic) in try rewrite.rewrite(current, &graph) }
      guard let patch else {
        result.operations.append(operation)
        continue
      }
      graph.apply(patch, replacing: operation)
      change += PassChange(removed: 1, added: patch.operations.count)
      result.operations += patch.operations
    }
    graph.substitute(in: &result.outputs)
    return result
  }
}
