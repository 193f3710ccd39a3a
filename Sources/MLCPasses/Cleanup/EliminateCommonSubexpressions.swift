import MLCCore
import MLCGraph

/// Pure operations with equal operators, attributes and arguments become one, the first; sizes that data decides get
/// the names that the first gives them. Compressed constants stay as they are.
package struct EliminateCommonSubexpressions: Pass {
  package static let phase = Phase.canonicalize
  package init() {}

  package func run(_ function: inout Function, under _: Budget) throws(Diagnostic) -> PassChange {
    var search = Search(values: function.values)
    function.body = search.block(function.body)
    if !search.sizes.isEmpty {
      for index in function.values.indices {
        function.values[index].fact = function.values[index].fact.substituting(search.sizes)
      }
    }
    return PassChange(removed: search.removed)
  }

  private struct Key: Hashable {
    let name: String, attributes: [String], values: [AttributeValue], inputs: [[ValueID]]
  }

  private struct Search {
    let values: [Value]
    /// Names of sizes that only removed operations gave.
    var sizes: [String: Dim] = [:]
    var substitution: [ValueID: ValueID] = [:]
    var seen: [Key: [ValueID]] = [:]
    /// The keys of `seen` in the order in which they came.
    var added: [Key] = []
    var removed = 0

    init(values: [Value]) { self.values = values }

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
          for (old, new) in zip(operation.outputs, first) {
            substitution[old] = new
            rename(values[old.index].fact.shape, as: values[new.index].fact.shape, of: operation)
          }
          removed += 1
          continue
        }
        result.operations.append(operation)
      }
      result.outputs = result.outputs.map { substitution[$0] ?? $0 }
      return result
    }

    /// Extents that stand in no argument are names of the operation's own.
    private mutating func rename(_ old: [Dim], as new: [Dim], of operation: Operation) {
      let given = operation.inputs.joined().flatMap { values[$0.index].fact.shape.flatMap(\.symbols) }
      for (extent, other) in zip(old, new) where extent != other {
        if let name = extent.symbol, other.symbol != nil, !given.contains(name) { sizes[name] = other }
      }
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
