import MLCCore
import MLCGraph
import MLCOps

// A state is what it holds at each point of the function: reading gives that value, writing replaces it, and the last
// one is an output of the function. Core ML's `read_state`, `write_state` and `coreml_update_state`.

func importReadState(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> ValueID {
  context.states[try stateName(node, "input")]!
}

/// The argument that names the state, of operations that write one.
let writtenStatePort = ["write_state": "input", "coreml_update_state": "state"]

/// `write_state` has no output, `coreml_update_state` the value. Throws `coreml.state` where the state is written by a
/// tensor of another type.
func importWriteState(
  _ node: MILNode,
  _ context: inout MILContext,
  value: String
) throws(Diagnostic) -> [ValueID] {
  let name = try stateName(node, writtenStatePort[node.type]!)
  let data = try context.value(node, value)
  let (held, given) = (context.builder.fact(context.states[name]!).type, context.builder.fact(data).type)
  guard held == given else {
    throw Diagnostic("coreml.state", "'\(name)' holds \(held) and is written with \(given)")
  }
  context.states[name] = data
  return [data]
}

private func stateName(_ node: MILNode, _ port: String) throws(Diagnostic) -> String {
  guard let entries = node.arguments[port], entries.count == 1, case .state(let name) = entries[0] else {
    throw Diagnostic("coreml.state", "'\(port)' of \(node.type) is no state")
  }
  return name
}
