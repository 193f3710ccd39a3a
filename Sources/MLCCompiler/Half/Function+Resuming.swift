import MLCCore
import MLCGraph
import MLCPasses

extension Function {
  /// The function with constants in place of operations that need not run again on inputs on which `known` are values
  /// of its outermost block.
  ///
  /// Those are pure operations that read inputs, constants and results of such operations alone, and whose
  /// results are all known. A known value that another operation makes is made again.
  package func resuming(at known: [ValueID: Tensor]) -> Function {
    var settled = Set(inputs)
    /// Results that stand for operations which are left out, until they are read.
    var pending: [ValueID: Tensor] = [:]
    var operations: [Operation] = []
    func settle(_ id: ValueID) {
      guard let tensor = pending.removeValue(forKey: id) else { return }
      operations.append(Operation(Const(tensor), [], outputs: [id]))
    }
    for operation in body.operations {
      let uses = operation.inputs.joined() + operation.blocks.flatMap { $0.uses }
      let inner = Set(operation.blocks.flatMap { $0.definitions })
      let isSettled = operation.isPure && uses.allSatisfy { settled.contains($0) || inner.contains($0) }
      let isConstant = operation.op is Const || operation.isConstantExpression
      if isSettled, isConstant || operation.outputs.allSatisfy({ known[$0] != nil }) {
        settled.formUnion(operation.outputs)
        if !isConstant {
          for output in operation.outputs { pending[output] = known[output] }
          continue
        }
      }
      for id in uses { settle(id) }
      operations.append(operation)
    }
    for output in body.outputs { settle(output) }
    var result = self
    result.body.operations = operations
    return result
  }
}

extension Block {
  /// Every value that is made in the block or inside of it.
  fileprivate var definitions: [ValueID] {
    inputs + operations.flatMap { $0.outputs + $0.blocks.flatMap { $0.definitions } }
  }
}
