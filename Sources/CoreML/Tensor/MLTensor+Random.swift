extension MLTensor {
  /// Numbers of a normal distribution. With a seed they are the same on every machine; without they differ each time.
  public init<Scalar>(
    randomNormal shape: [Int],
    mean: Scalar = 0.0,
    standardDeviation: Scalar = 1.0,
    seed: UInt64? = nil,
    scalarType: Scalar.Type = Scalar.self
  ) where Scalar: MLTensorScalar, Scalar: BinaryFloatingPoint {
    precondition(standardDeviation >= 0, "a standard deviation of \(standardDeviation)")
    let draw = RandomKernel.Draw.normal(mean: Double(mean), deviation: Double(standardDeviation))
    self.init(shape, ScalarKind(scalarType), .kernel(RandomKernel(draw, seed)))
  }

  /// Numbers that are equally likely everywhere in `bounds`, multiples of 2^-24 of its length from its start. With a
  /// seed they are the same on every machine; without they differ each time.
  public init<Scalar>(
    randomUniform shape: [Int],
    in bounds: Range<Scalar> = 0..<1,
    seed: UInt64? = nil,
    scalarType: Scalar.Type = Scalar.self
  ) where Scalar: MLTensorScalar, Scalar: BinaryFloatingPoint {
    precondition(!bounds.isEmpty, "no numbers lie in \(bounds)")
    let draw = RandomKernel.Draw.uniform(Double(bounds.lowerBound), Double(bounds.upperBound))
    self.init(shape, ScalarKind(scalarType), .kernel(RandomKernel(draw, seed)))
  }

  /// Whole numbers in `bounds`, equally likely. With a seed they are the same on every machine; without they differ
  /// each time.
  public init<Scalar>(
    randomUniform shape: [Int],
    in bounds: ClosedRange<Scalar> = 0...1,
    seed: UInt64? = nil,
    scalarType: Scalar.Type = Scalar.self
  ) where Scalar: MLTensorScalar, Scalar: BinaryInteger {
    let draw = RandomKernel.Draw.whole(Int(bounds.lowerBound), Int(bounds.upperBound))
    self.init(shape, ScalarKind(scalarType), .kernel(RandomKernel(draw, seed)))
  }
}
