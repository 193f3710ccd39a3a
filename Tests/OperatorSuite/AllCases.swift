extension OperatorCase {
  /// Every case there is.
  static let all: [OperatorCase] = [
    binaryArithmetic,
    comparison,
    const,
    gathers,
    movement,
    reductions,
    reshape,
    transpose,
    unary,
  ].flatMap { $0 }
}
