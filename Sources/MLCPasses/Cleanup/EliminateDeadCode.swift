import MLCCore
import MLCGraph

/// Operations whose results nobody reads go, in nested blocks too.
package struct EliminateDeadCode: Pass {
  package static let phase = Phase.canonicalize
  package init() {}

  package func run(_ function: inout Function, under _: Budget) throws(Diagnostic) -> PassChange {
    var search = Search(live: Array(repeating: false, count: function.values.count))
    function.body = search.block(function.body)
    return PassChange(removed: search.removed)
  }

  private struct Search {
    var live: [Bool]
    var removed = 0

    mutating func block(_ source: Block) -> Block {
      var result = source
      for output in source.outputs { live[output.index] = true }
      var kept: [Operation] = []
      for var operation in source.operations.reversed() {
        guard operation.hasEffect || operation.outputs.contains(where: { live[$0.index] }) else {
          removed += 1
          continue
        }
        for input in operation.inputs.joined() { live[input.index] = true }
        for index in operation.blocks.indices { operation.blocks[index] = block(operation.blocks[index]) }
        kept.append(operation)
      }
      result.operations = kept.reversed()
      return result
    }
  }
}
