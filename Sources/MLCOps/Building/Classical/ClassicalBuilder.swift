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
  /// Each argument is one value or none.
  package mutating func step(_ op: any Operator, _ inputs: ValueID?...) throws(Diagnostic) -> ValueID {
    try append(op, inputs.map { $0.map { [$0] } ?? [] })
  }

  /// Numbers of the element type of `x`, of rank 1.
  package mutating func row(_ numbers: [Double], like x: ValueID, _ name: String) -> ValueID {
    constant(Tensor(fact(x).dtype, [numbers.count], numbers), name)
  }

  package mutating func raised(_ x: ValueID, by summand: Double) throws(Diagnostic) -> ValueID {
    try step(Add(), x, scalar(summand, like: x))
  }

  package mutating func multiplied(_ x: ValueID, by factor: Double) throws(Diagnostic) -> ValueID {
    factor == 1 ? x : try step(Mul(), x, scalar(factor, like: x))
  }

  package mutating func joined(_ parts: [ValueID], axis: Int) throws(Diagnostic) -> ValueID {
    parts.count == 1 ? parts[0] : try append(Concat(axis: axis), [parts])
  }

  /// The columns `range` of `x`, a matrix.
  package mutating func columns(_ range: Range<Int>, of x: ValueID) throws(Diagnostic) -> ValueID {
    let op = SliceByIndex(beginMask: [true, false], endMask: [true, false])
    return try step(op, x, list([0, range.lowerBound]), list([0, range.upperBound]))
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
    base.isEmpty ? scores : try step(Add(), scores, row(base, like: scores, "base"))
  }
}
