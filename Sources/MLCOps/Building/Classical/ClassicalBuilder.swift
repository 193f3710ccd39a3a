import MLCCore
import MLCGraph

/// What appends the steps of classical models: constants, loops and arithmetic besides single operations.
package protocol ClassicalBuilder: OperationBuilder {
  var builder: Builder { get set }
  mutating func constant(_ tensor: Tensor, _ name: String) -> ValueID
  /// All results of an operation, whose blocks are ended.
  mutating func append(_ op: any Operator, all inputs: [[ValueID]], blocks: [Block]) throws(Diagnostic) -> [ValueID]
}

extension ClassicalBuilder {
  /// Numbers of the element type of `x`, of rank 1.
  package mutating func row(_ numbers: [Double], like x: ValueID, _ name: String) -> ValueID {
    constant(Tensor(fact(x).dtype, [numbers.count], numbers), name)
  }

  /// The columns `range` of `x`, a matrix.
  package mutating func columns(_ range: Range<Int>, of x: ValueID) throws(Diagnostic) -> ValueID {
    let op = SliceByIndex(beginMask: [true, false], endMask: [true, false])
    return try apply(op, x, list([0, range.lowerBound]), list([0, range.upperBound]))
  }

  /// What `trees` give the rows `x`, in the type of `x`.
  package mutating func scores(
    _ trees: TreeDraft,
    of x: ValueID,
    _ aggregate: TreeEnsemble.Aggregate,
    targets: Int
  ) throws(Diagnostic) -> ValueID {
    let operands = try trees.operands(fact(x).dtype)
    let names = TreeEnsemble.portNames.dropFirst()
    let constants = zip(operands, names).map { [constant($0, $1)] }
    return try append(TreeEnsemble(aggregate: aggregate, targets: targets), [[x]] + constants)
  }

  /// Adds `base`, a number for each column, or none at all.
  package mutating func adding(_ base: [Double], to scores: ValueID) throws(Diagnostic) -> ValueID {
    base.isEmpty ? scores : try apply(Add(), scores, row(base, like: scores, "base"))
  }
}
