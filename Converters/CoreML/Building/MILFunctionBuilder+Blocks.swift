import MLCCore
import MLCGraph
import MLCOps

/// Branches and loops, which read and write states as the function itself does.
extension MILFunctionBuilder {
  /// Begins a nested block, whose inputs have the types of `carried`; one of a loop is given the states too.
  package mutating func beginBlock(like carried: [ValueID], ofLoop isLoop: Bool) -> [ValueID] {
    statesBefore.append(context.states)
    let held = isLoop ? heldByStates : []
    let inputs = context.builder.beginBlock(inputs: (carried + held).map { (name: "carried", type: type($0)) })
    if isLoop { hold(inputs.dropFirst(carried.count)) }
    return Array(inputs.prefix(carried.count))
  }

  /// Ends it; a block gives what the states hold behind its results, but for the condition of a loop. Throws
  /// `coreml.state` where a condition writes one.
  package mutating func endBlock(yielding results: [ValueID], isCondition: Bool) throws(Diagnostic) -> Block {
    let held = heldByStates
    let block = context.builder.endBlock(yielding: results + (isCondition ? [] : held))
    context.states = statesBefore.removeLast()
    if isCondition, !block.inputs.suffix(held.count).elementsEqual(held) {
      throw Diagnostic("coreml.state", "the condition of a loop writes a state", kind: .unsupported)
    }
    return block
  }

  /// Ends a block that cannot be built.
  package mutating func abandonBlock() {
    _ = context.builder.endBlock(yielding: [])
    context.states = statesBefore.removeLast()
  }

  /// Either block's results.
  package mutating func cond(_ pred: ValueID, _ blocks: [Block], name: String, at origin: Location)
    throws(Diagnostic) -> [ValueID]
  {
    // A state that neither block writes is none of their results.
    let before = heldByStates
    let written = before.indices.filter { place in
      blocks.contains { $0.outputs[$0.outputs.count - before.count + place] != before[place] }
    }
    let trimmed = blocks.map { block in
      var block = block
      let held = block.outputs.suffix(before.count)
      block.outputs = block.outputs.dropLast(before.count) + written.map { held[held.startIndex + $0] }
      return block
    }
    let results = try context.builder.append(Cond(), [[pred]], names: [name], blocks: trimmed, origin: origin)
    for (place, value) in zip(written, results.suffix(written.count)) { context.states[states[place].name] = value }
    return results.dropLast(written.count)
  }

  /// What the last round gave.
  package mutating func whileLoop(_ carried: [ValueID], _ blocks: [Block], name: String, at origin: Location)
    throws(Diagnostic) -> [ValueID]
  {
    let inputs = carried + heldByStates
    let results = try context.builder.append(WhileLoop(), [inputs], names: [name], blocks: blocks, origin: origin)
    hold(results.suffix(states.count))
    return results.dropLast(states.count)
  }

  /// In the order of the states.
  private var heldByStates: [ValueID] { states.compactMap { context.states[$0.name] } }

  private mutating func hold(_ values: ArraySlice<ValueID>) {
    for (state, value) in zip(states, values) { context.states[state.name] = value }
  }
}
