import MLCCore
import MLCGraph
import MLCOps

/// `einsum`, as products of matrices.
func importEinsum(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  guard let equation = try node.text("equation") else { throw Diagnostic("coreml.parameter", "'equation' is missing") }
  var building = MILEinsum(node: node, context: context)
  defer { context = building.context }
  let values = try building.context.values(node, "values")
  return [try building.einsum(equation, values)]
}

private struct MILEinsum: OperationBuilder {
  let node: MILNode
  var context: MILContext

  func fact(_ value: ValueID) -> Fact { context.builder.fact(value) }
  mutating func append(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> ValueID {
    try context.builder.append(op, inputs, names: node.outputs.map(\.name), origin: node.origin)[0]
  }
  mutating func list(_ numbers: [Int]) -> ValueID { context.list(node, numbers) }
}
