import MLCCore
import MLCGraph

/// Pure operations with equal operators, attributes and arguments become one, the first. Compressed constants stay as
/// they are.
package struct EliminateCommonSubexpressions: Pass {
  package static let phase = Phase.canonicalize
  package init() {}

  package func run(_ function: inout Function, under _: Budget) throws(Diagnostic) -> PassChange {
    var search = Search()
    function.body = search.block(function.body)
    return PassChange(removed: search.removed)
  }

  private struct Key: Hashable {
    let name: String, attributes: [String], values: [AttributeValue], inputs: [[ValueID]]
  }

  private struct Search {
    var substitution: [ValueID: ValueID] = [:]
    var seen: [Key: [ValueID]] = [:]
    /// The keys of `seen` in the order in which they came.
    var added: [Key] = []
    var removed = 0

    mutating func block(_ source: Block) -> Block {
      var result = source
      result.operations.removeAll(keepingCapacity: true)
      for var operation in source.operations {
        operation.inputs = operation.inputs.map { $0.map { substitution[$0] ?? $0 } }
        if !operation.blocks.isEmpty {
          // What a nested block defines is unknown outside of it.
          for index in operation.blocks.indices {
            let outer = added.count
            operation.blocks[index] = block(operation.blocks[index])
            for key in added[outer...] { seen[key] = nil }
            added.removeSubrange(outer...)
          }
        } else if operation.isPure, !operation.isConstantExpression, let first = first(like: operation) {
          for (old, new) in zip(operation.outputs, first) { substitution[old] = new }
          removed += 1
          continue
        }
        result.operations.append(operation)
      }
      result.outputs = result.outputs.map { substitution[$0] ?? $0 }
      return result
    }

    private mutating func first(like operation: Operation) -> [ValueID]? {
      let attributes = operation.op.attributes
      let key = Key(
        name: operation.name,
        attributes: attributes.map { $0.name },
        values: attributes.map { $0.value },
        inputs: operation.inputs
      )
      if let first = seen[key] { return first }
      seen[key] = operation.outputs
      added.append(key)
      return nil
    }
  }
}
