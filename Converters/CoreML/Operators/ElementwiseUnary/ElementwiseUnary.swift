import MLCCore
import MLCGraph
import MLCOps

extension Neg: MILLegalizable {
  /// `x · (−1)`
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    guard let x = use[0] else { return nil }
    return [try use.append(Mul(), x, use.scalar(-1, like: x, in: &builder), in: &builder, last: true)]
  }
}

extension IsNan: MILLegalizable {
  /// `x ≠ x`
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    guard let x = use[0] else { return nil }
    return [try use.append(NotEqual(), x, x, in: &builder, last: true)]
  }
}

extension IsInf: MILLegalizable {
  /// `|x| = ∞`, or x against one infinity.
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    guard let x = use[0], positive || negative else { return nil }
    let subject = positive && negative ? try use.append(Abs(), x, in: &builder) : x
    let infinity = use.scalar(positive ? .infinity : -.infinity, like: x, in: &builder)
    return [try use.append(Equal(), subject, infinity, in: &builder, last: true)]
  }
}
