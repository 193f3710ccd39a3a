import MLCCore
import MLCGraph
import MLCOps

/// Writes the operations of a function anew: those that it has, and others between and behind them.
package struct GraphWriter: OperationBuilder {
  /// The values are those of the function and the new ones; its body is what `finished` makes.
  package private(set) var function: Function
  package private(set) var operations: [Operation] = []
  /// What new operations are made for.
  package var origin = Location()
  private var producers: [ValueID: Int] = [:]
  private var taken: Set<String>

  /// None of the operations of `function` is written yet.
  package init(_ function: Function) {
    self.function = function
    taken = Set(function.values.map { $0.name })
  }

  package func fact(_ value: ValueID) -> Fact { function.fact(value) }
  /// The operation that makes `value`, if it is written.
  package func producer(_ value: ValueID) -> Operation? { producers[value].map { operations[$0] } }

  package mutating func append(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> ValueID {
    try results(op, inputs)[0]
  }

  package mutating func results(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> [ValueID] {
    let label = taken.addName(type(of: op).name)
    let facts = try inferred(op, inputs, [], label)
    let outputs = facts.enumerated().map { place, fact in
      function.addValue(place == 0 ? label : taken.addName(label), fact)
    }
    write(Operation(op, inputs, outputs: outputs, origin: origin))
    return outputs
  }

  package mutating func list(_ numbers: [Int]) -> ValueID { constant(.shape(numbers), "list") }

  package mutating func constant(_ tensor: Tensor, _ suffix: String) -> ValueID {
    let value = function.addValue(taken.addName(suffix), Fact(tensor))
    write(Operation(Const(tensor), [], outputs: [value], origin: origin))
    return value
  }

  package mutating func input(_ name: String, _ type: TensorType) -> ValueID {
    function.addInput(taken.addName(name), type)
  }

  /// Writes an operation of the function. What is known of its results is inferred again where `isChanged`: what it
  /// reads may be a constant no more.
  package mutating func keep(_ operation: Operation, isChanged: Bool) throws(Diagnostic) {
    if isChanged {
      let facts = try inferred(operation.op, operation.inputs, operation.blocks, function[operation.outputs[0]].name)
      for (value, fact) in zip(operation.outputs, facts) { function[value].fact = fact }
    }
    write(operation)
  }

  /// Lets `value` be what the function is called with, and nothing that is known.
  package mutating func forget(_ value: ValueID, as type: TensorType) { function[value].fact = Fact(type) }

  /// The function with those of the operations that its outputs take.
  package func finished(_ outputs: [(name: String, value: ValueID)]) -> Function {
    var result = function
    result.body = Block()
    result.body.operations = operations
    result.body.outputs = outputs.map { $0.value }
    result.body.operations = result.body.operations(for: result.body.outputs)
    result.outputNames = outputs.map { $0.name }
    return result
  }

  private mutating func write(_ operation: Operation) {
    for output in operation.outputs { producers[output] = operations.count }
    operations.append(operation)
  }

  private func inferred(_ op: any Operator, _ inputs: [[ValueID]], _ blocks: [Block], _ label: String)
    throws(Diagnostic) -> [Fact]
  {
    let function = function
    return try locating(Location(op: type(of: op).name).within(origin)) { () throws(Diagnostic) in
      try checkArguments(op, inputs, in: function)
      return try infer(op, inputs, blocks: blocks, label: label, in: function)
    }
  }
}
