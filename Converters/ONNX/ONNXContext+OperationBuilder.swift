import MLCCore
import MLCGraph
import MLCOps

extension ONNXContext: ClassicalBuilder {
  package mutating func append(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> ValueID {
    try builder.append(op, inputs, names: node.outputs, origin: origin)[0]
  }
  package mutating func results(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> [ValueID] {
    try emit(op, all: inputs)
  }
  package mutating func append(_ op: any Operator, all inputs: [[ValueID]], blocks: [Block]) throws(Diagnostic)
    -> [ValueID]
  { try emit(op, all: inputs, blocks: blocks) }
  package mutating func list(_ numbers: [Int]) -> ValueID { constant(ints: numbers, "list") }
}
