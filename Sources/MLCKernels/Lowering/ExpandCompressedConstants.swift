import MLCCore
import MLCGraph

extension Function {
  /// The function with the value of every `ConstantExpression` known, so that lowerings see plain constants.
  ///
  /// This is how compressed weights compile where no lowering takes them as they are. Throws what the operators throw, located at
  /// the user's node.
  func expandingCompressedConstants() throws(Diagnostic) -> Function {
    var result = self
    try result.expand(body)
    return result
  }

  private mutating func expand(_ block: Block) throws(Diagnostic) {
    for operation in block.operations {
      for nested in operation.blocks { try expand(nested) }
      guard operation.isConstantExpression else { continue }
      let function = self
      let arguments = operation.inputs.map { $0.compactMap { function.fact($0).value } }
      let operands = Operands(Swift.type(of: operation.op).portNames, arguments)
      let location = Location(op: operation.name).within(operation.origin).within(Location(file: file))
      guard zip(arguments, operation.inputs).allSatisfy({ $0.count == $1.count }) else {
        throw Diagnostic("constexpr.operand", "a part of this compressed constant is not known", at: location)
      }
      let results = try locating(location) { () throws(Diagnostic) in try operation.op.evaluate(operands) }
      for (output, tensor) in zip(operation.outputs, results) { self[output].fact = Fact(tensor) }
    }
  }
}
