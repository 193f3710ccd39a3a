extension OperatorCase {
  /// Every case there is.
  static let all: [OperatorCase] = [
    binaryArithmetic,
    reductions,
    reshape,
    transpose,
  ].flatMap { $0 }
}
