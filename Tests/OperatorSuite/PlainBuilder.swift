import MLCCore
import MLCGraph
import MLCOps

/// Appends operations to a function without names of their own.
struct PlainBuilder: OperationBuilder {
  var builder = Builder()

  func fact(_ value: ValueID) -> Fact { builder.fact(value) }
  mutating func append(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> ValueID {
    try builder.append(op, inputs)[0]
  }
  mutating func results(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> [ValueID] {
    try builder.append(op, inputs)
  }
  mutating func list(_ numbers: [Int]) -> ValueID { builder.constant(Tensor(.int32, [numbers.count], numbers)) }
  mutating func constant(_ tensor: Tensor, _ suffix: String) -> ValueID { builder.constant(tensor, name: suffix) }
}
