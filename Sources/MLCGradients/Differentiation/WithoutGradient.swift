import MLCGraph
import MLCOps

/// The operators that are not `Differentiable`, each in one of two lists. A test holds them and those that are equal to
/// the operator set.
package enum WithoutGradient {
  /// What results do not depend on by derivatives: gradients are zero, and end there.
  package static let zero: [(op: any Operator.Type, reason: String)] = [
    (BitCast.self, bits),
    (BitwiseAnd.self, bits),
    (BitwiseNot.self, bits),
    (BitwiseOr.self, bits),
    (BitwiseXor.self, bits),
    (Ceil.self, steps),
    (Const.self, "there is no operand"),
    (ConstexprBlockwiseShiftScale.self, compressed),
    (ConstexprCast.self, compressed),
    (ConstexprLutToDense.self, compressed),
    (ConstexprLutToSparse.self, compressed),
    (ConstexprSparseBlockwiseShiftScale.self, compressed),
    (ConstexprSparseToDense.self, compressed),
    (ConvInteger.self, integers),
    (DecodeImage.self, integers),
    (Equal.self, comparison),
    (EyeLike.self, "the operand gives its shape"),
    (Floor.self, steps),
    (FloorDiv.self, steps),
    (Greater.self, comparison),
    (GreaterEqual.self, comparison),
    (IsInf.self, comparison),
    (IsNan.self, comparison),
    (LeftShift.self, bits),
    (Less.self, comparison),
    (LessEqual.self, comparison),
    (LogicalAnd.self, comparison),
    (LogicalNot.self, comparison),
    (LogicalOr.self, comparison),
    (LogicalXor.self, comparison),
    (MatMulInteger.self, integers),
    (NonMaxSuppression.self, "the results are places"),
    (NonZero.self, "the results are places"),
    (NotEqual.self, comparison),
    (Range1D.self, "the result counts"),
    (ReduceArgmax.self, "the results are places"),
    (ReduceArgmin.self, "the results are places"),
    (RegexFullMatch.self, texts),
    (RightShift.self, bits),
    (Round.self, steps),
    (Shape.self, "the result is a shape"),
    (Sign.self, steps),
    (StringConcat.self, texts),
    (StringNormalizer.self, texts),
    (StringRank.self, texts),
    (StringSplit.self, texts),
    (TreeEnsemble.self, "the result is constant but for steps, and the trees are no weights"),
  ]

  /// What has gradients that are not said yet.
  package static let missing: [(op: any Operator.Type, reason: String)] = [
    (Cond.self, "gradients do not pass into branches"),
    (Cumprod.self, "running products that may hold zeros are not taken apart"),
    (WhileLoop.self, "gradients do not pass through rounds of a loop"),
  ]

  /// Why there is no derivative.
  package static func reason(_ op: any Operator) -> String? { zero.first { $0.op == type(of: op) }?.reason }
  /// Why the gradient is not said.
  static func missing(_ op: any Operator) -> String? { missing.first { $0.op == type(of: op) }?.reason }

  private static let bits = "the result is made of bits"
  private static let compressed = "operands are constants; weights to be trained are expanded"
  private static let comparison = "the result is a truth value"
  private static let integers = "the results are whole numbers"
  private static let steps = "the result is constant but for steps"
  private static let texts = "operands are texts"
}
