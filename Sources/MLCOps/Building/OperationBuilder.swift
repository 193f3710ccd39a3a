import MLCCore
import MLCGraph

/// What appends operations under names and places of its own: the context of an importer.
package protocol OperationBuilder {
  func fact(_ value: ValueID) -> Fact
  /// The one result of an operation.
  mutating func append(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> ValueID
  /// All results of an operation.
  mutating func results(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> [ValueID]
  /// A list of integers.
  mutating func list(_ numbers: [Int]) -> ValueID
  /// A constant, whose name ends with `suffix`.
  mutating func constant(_ tensor: Tensor, _ suffix: String) -> ValueID
}
