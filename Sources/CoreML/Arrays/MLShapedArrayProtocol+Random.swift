// Arrays of random numbers, evenly spread over a range.

extension MLShapedArrayProtocol where Scalar: BinaryFloatingPoint, Scalar.RawSignificand: FixedWidthInteger {
  public init(randomScalarsIn range: Range<Scalar>, shape: [Int]) {
    self.init(_buffer: _MLShapedBuffer(shape: shape) { for index in $0.indices { $0[index] = .random(in: range) } })
  }

  public init(randomScalarsIn range: ClosedRange<Scalar>, shape: [Int]) {
    self.init(_buffer: _MLShapedBuffer(shape: shape) { for index in $0.indices { $0[index] = .random(in: range) } })
  }
}

extension MLShapedArrayProtocol where Scalar: FixedWidthInteger {
  public init(randomScalarsIn range: Range<Scalar>, shape: [Int]) {
    self.init(_buffer: _MLShapedBuffer(shape: shape) { for index in $0.indices { $0[index] = .random(in: range) } })
  }

  public init(randomScalarsIn range: ClosedRange<Scalar>, shape: [Int]) {
    self.init(_buffer: _MLShapedBuffer(shape: shape) { for index in $0.indices { $0[index] = .random(in: range) } })
  }
}
