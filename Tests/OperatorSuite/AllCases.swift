extension OperatorCase {
  /// Every case there is.
  static let all: [OperatorCase] = [
    binaryArithmetic,
    const,
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
  ].flatMap { $0 }
}
