import MLCCore
import MLCGraph

extension Function {
  /// Renumbers values in the order of their definition and drops those that nothing defines.
  package mutating func compactValues() {
    var compaction = Compaction(old: values, numbers: Array(repeating: nil, count: values.count))
    inputs = inputs.map { compaction.number($0) }
    body = compaction.block(body)
    values = compaction.values
  }
}

private struct Compaction {
  let old: [Value]
  var numbers: [ValueID?]
  var values: [Value] = []

  /// The new number of `id`, given at its first sight: definitions come before uses.
  mutating func number(_ id: ValueID) -> ValueID {
    if let number = numbers[id.index] { return number }
    let number = ValueID(values.count)
    values.append(old[id.index])
    numbers[id.index] = number
    return number
  }

  mutating func block(_ block: Block) -> Block {
    var result = block
    result.inputs = block.inputs.map { number($0) }
    for index in block.operations.indices {
      let operation = block.operations[index]
      result.operations[index].inputs = operation.inputs.map { $0.map { number($0) } }
      result.operations[index].blocks = operation.blocks.map { self.block($0) }
      result.operations[index].outputs = operation.outputs.map { number($0) }
    }
    result.outputs = block.outputs.map { number($0) }
    return result
  }
}
