extension OperatorCase {
  /// Every case there is.
  static let all: [OperatorCase] = [
    binaryArithmetic,
    comparison,
    const,
    constexpr,
    gathers,
    movement,
    conv,
    convTranspose,
    normalizations,
    pooling,
    products,
    recurrent,
    reductions,
    resampling,
    reshape,
    transpose,
    unary,
  ].flatMap { $0 }
}
