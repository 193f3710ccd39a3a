import MLCCore
import MLCGraph
import MLCOps

/// An operator with operands that follow from a seed.
struct GradientCase: Sendable {
  /// `operator.what`.
  let name: String
  let make: @Sendable (inout Draw) -> DrawnOperation

  init(_ name: String, _ make: @escaping @Sendable (inout Draw) -> DrawnOperation) {
    (self.name, self.make) = (name, make)
  }

  var operatorName: String { String(name.prefix { $0 != "." }) }

  /// Every table there is.
  static let all: [GradientCase] =
    elementwiseUnary + elementwiseBinary + activation + reduction + linear + tensorTransformation + tensorOperation
    + scatterGather + controlFlow + conv + pool + normalization + transformers + recurrent
    + imageResizing
}

struct DrawnOperation {
  var op: any Operator
  /// One list a port.
  var operands: [[Tensor]]
  /// Ports whose numbers are constants.
  var fixed: Set<String>

  init(_ op: any Operator, _ operands: [[Tensor]], fixed: Set<String> = []) {
    (self.op, self.operands, self.fixed) = (op, operands, fixed)
  }
  init(_ op: any Operator, _ operands: Tensor...) { self.init(op, operands.map { [$0] }) }

  /// The operands that gradients are of.
  var variables: [Tensor] { mapped { isVariable, tensor in isVariable ? tensor : nil }.joined().compactMap { $0 } }

  /// By port, what `body` makes of each operand and of whether it is a variable: one of floats that is not fixed.
  func mapped<T>(_ body: (Bool, Tensor) throws -> T) rethrows -> [[T]] {
    try zip(type(of: op).portNames, operands).map { port, tensors in
      try tensors.map { try body($0.dtype.isFloat && !fixed.contains(port), $0) }
    }
  }

  /// The same on variables of another type.
  func converted(to dtype: DType) -> DrawnOperation {
    DrawnOperation(op, mapped { isVariable, tensor in isVariable ? tensor.converted(to: dtype) : tensor }, fixed: fixed)
  }
}
