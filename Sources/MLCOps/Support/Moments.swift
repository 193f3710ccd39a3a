extension UnsafeMutableBufferPointer<Double> {
  /// Subtracts the mean and divides by `√(variance + epsilon)`, the variance being the mean of squares about the mean.
  func standardize(epsilon: Double) {
    let mean = reduce(0, +) / Double(count)
    let variance = reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count)
    let root = (variance + epsilon).squareRoot()
    for i in indices { self[i] = (self[i] - mean) / root }
  }
}
