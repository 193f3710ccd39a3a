import MLCCore
import MLCGraph
import MLCOps

/// An operator with operands that follow from a seed. Operands of type float64 are what the loss is differentiated by.
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
}

struct DrawnOperation {
  var op: any Operator
  /// One list a port.
  var operands: [[Tensor]]

  init(_ op: any Operator, _ operands: [[Tensor]]) { (self.op, self.operands) = (op, operands) }
  init(_ op: any Operator, _ operands: Tensor...) { self.init(op, operands.map { [$0] }) }

  /// The operands that gradients are of.
  var variables: [Tensor] { operands.joined().filter { $0.dtype.isFloat } }

  /// The same on numbers of another type.
  func converted(to dtype: DType) -> DrawnOperation {
    DrawnOperation(op, operands.map { $0.map { $0.dtype.isFloat ? $0.converted(to: dtype) : $0 } })
  }
}
