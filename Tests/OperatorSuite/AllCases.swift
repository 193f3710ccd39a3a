extension OperatorCase {
  /// Every case there is.
  static let all: [OperatorCase] = [
    binaryArithmetic,
    const,
    reductions,
    reshape,
    transpose,
  ].flatMap { $0 }
}
