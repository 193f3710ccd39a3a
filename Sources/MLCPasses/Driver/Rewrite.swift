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
  package func run(_ function: inout Function, under budget: Budget) throws(Diagnostic) -> PassChange {
    var walk = RewriteWalk(rewrite: self, budget: budget, graph: GraphEditor(function, budget: budget))
    let body = try walk.block(function.body)
    if walk.change.isEmpty { return walk.change }
    function = walk.graph.result
    function.body = body
    return walk.change
  }
}

/// One walk over a function, operations in order, nested blocks before the operation that holds them.
private struct RewriteWalk<R: Rewrite> {
  let rewrite: R
  let budget: Budget
  var graph: GraphEditor
  var change = PassChange()

  mutating func block(_ source: Block) throws(Diagnostic) -> Block {
    var result = source
    result.operations.removeAll(keepingCapacity: true)
    for var operation in source.operations {
      graph.substitute(in: &operation.inputs)
      for index in operation.blocks.indices { operation.blocks[index] = try block(operation.blocks[index]) }
      graph.begin(operation)
      guard let patch = try patch(for: operation) else {
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

  /// What stands in for `operation`, unless its constants are beyond the budget.
  private mutating func patch(for operation: Operation) throws(Diagnostic) -> Patch? {
    let location = Location(node: operation.origin.node, op: operation.origin.op, pass: R.name)
    let patch = try locating(location) { () throws(Diagnostic) in
      try budget.checkTime()
      return try rewrite.rewrite(operation, &graph)
    }
    guard let patch, budget.takeConstant(newBytes(patch, operation), for: operation.origin) else { return nil }
    return patch
  }

  /// Bytes of the constants in `patch` that are no views of what `operation` reads.
  private func newBytes(_ patch: Patch, _ operation: Operation) -> Int {
    var bytes = 0
    for case let constant as Const in patch.operations.map(\.op) where constant.val.memoryBytes > Budget.smallConstant {
      let isView = operation.inputs.joined().contains { graph.constant($0)?.sharesMemory(with: constant.val) ?? false }
      if !isView { bytes += constant.val.memoryBytes }
    }
    return bytes
  }
}
