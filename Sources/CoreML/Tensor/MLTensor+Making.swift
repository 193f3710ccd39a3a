import Foundation

extension MLTensor {
  /// A tensor whose elements `write` puts into new memory, of `shape`.
  init(_ shape: [Int], _ kind: ScalarKind, _ write: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
    let byteCount = TensorNode.checkedCount(shape, kind) * kind.width
    let memory = TensorMemory(byteCount: byteCount)
    try write(UnsafeMutableRawBufferPointer(start: memory.base, count: byteCount))
    self.init(TensorNode(shape, kind, memory: memory))
  }

  /// A tensor with the elements of an array, whose memory it shares where they lie densely.
  public init<ShapedArray>(_ shapedArray: ShapedArray)
  where ShapedArray: MLShapedArrayProtocol, ShapedArray.Scalar: MLTensorScalar {
    let (buffer, kind) = (shapedArray._buffer, ScalarKind(ShapedArray.Scalar.self))
    let dense = buffer.layout.isDense ? buffer : buffer.copied()
    let memory = TensorMemory(viewing: dense.elements, of: dense)
    self.init(TensorNode(dense.layout.shape, kind, memory: memory))
  }

  /// A tensor with one axis. Literals of whole numbers make one of `Int32`, as they do where the tensor itself is a
  /// literal; with a fraction among them they make this.
  @_disfavoredOverload
  public init(_ scalars: some Collection<Float>) { self.init(scalars, scalarType: Float.self) }

  /// A tensor with one axis.
  public init(_ scalars: some Collection<Int32>) { self.init(scalars, scalarType: Int32.self) }

  /// A tensor with one axis.
  public init<Scalar>(_ scalars: some Collection<Scalar>, scalarType: Scalar.Type = Scalar.self)
  where Scalar: MLTensorScalar {
    self.init(shape: [scalars.count], scalars: scalars, scalarType: scalarType)
  }

  /// A tensor without axes.
  public init<Scalar>(_ value: Scalar, scalarType: Scalar.Type = Scalar.self) where Scalar: MLTensorScalar {
    self = MLTensor.scalar(ScalarKind.number(value), ScalarKind(Scalar.self))
  }

  /// Scalars in row-major order, as many as the shape has.
  public init(shape: [Int], scalars: some Collection<Float>) {
    self.init(shape: shape, scalars: scalars, scalarType: Float.self)
  }

  /// Scalars in row-major order, as many as the shape has.
  public init<Scalar>(shape: [Int], scalars: some Collection<Scalar>, scalarType: Scalar.Type = Scalar.self)
  where Scalar: MLTensorScalar {
    let kind = ScalarKind(scalarType)
    let count = TensorNode.checkedCount(shape, kind)
    precondition(scalars.count == count, "\(scalars.count) scalars for the shape \(shape)")
    self.init(shape, kind) { bytes in
      let elements = bytes.bindMemory(to: Scalar.self)
      _ = elements.initialize(from: scalars)
    }
  }

  /// A copy of `data`, the elements in row-major order, as many bytes as they take.
  public init(shape: [Int], data: Data, scalarType: any MLTensorScalar.Type) {
    let kind = ScalarKind(scalarType)
    precondition(
      data.count == TensorNode.checkedCount(shape, kind) * kind.width,
      "\(data.count) bytes for the shape \(shape) of \(scalarType)"
    )
    self.init(shape, kind) { bytes in data.withUnsafeBytes { bytes.copyMemory(from: $0) } }
  }

  /// A view of elements in row-major order, which stay and keep their values until `deallocator` runs.
  public init(
    bytesNoCopy bytes: UnsafeRawBufferPointer,
    shape: [Int],
    scalarType: any MLTensorScalar.Type,
    deallocator: Data.Deallocator
  ) {
    let kind = ScalarKind(scalarType)
    let byteCount = TensorNode.checkedCount(shape, kind) * kind.width
    precondition(bytes.count >= byteCount, "\(bytes.count) bytes for the shape \(shape) of \(scalarType)")
    guard let base = bytes.baseAddress else {
      self.init(shape, kind) { _ in }
      return
    }
    let owner = ShapedMemory(UnsafeMutableRawPointer(mutating: base), isBorrowed: true) { memory in
      // Foundation's deallocators run when the data they belong to goes.
      _ = Data(bytesNoCopy: memory, count: bytes.count, deallocator: deallocator)
    }
    let isAligned = Int(bitPattern: base).isMultiple(of: kind.width)
    guard isAligned else {
      self.init(shape, kind) { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<byteCount])) }
      withExtendedLifetime(owner) {}
      return
    }
    self.init(TensorNode(shape, kind, memory: TensorMemory(viewing: base, of: owner)))
  }

  /// `initializer` gets the memory, which it must fill with elements in row-major order.
  public init(
    unsafeUninitializedShape shape: [Int],
    scalarType: any MLTensorScalar.Type,
    initializingWith initializer: (UnsafeMutableRawBufferPointer) throws -> Void
  ) rethrows {
    try self.init(shape, ScalarKind(scalarType), initializer)
  }
}

// MARK: One value

extension MLTensor {
  /// One value everywhere.
  public init(repeating repeatedValue: Float, shape: [Int]) {
    self.init(repeating: repeatedValue, shape: shape, scalarType: Float.self)
  }

  /// One value everywhere.
  public init<Scalar>(repeating repeatedValue: Scalar, shape: [Int], scalarType: Scalar.Type = Scalar.self)
  where Scalar: MLTensorScalar {
    let kind = ScalarKind(scalarType)
    self.init(shape, kind, .fill(kind.lane(ScalarKind.number(repeatedValue))))
  }

  /// Zeros.
  public init<Scalar>(zeros shape: [Int], scalarType: Scalar.Type = Scalar.self)
  where Scalar: MLTensorScalar, Scalar: BinaryFloatingPoint, Scalar.RawSignificand: FixedWidthInteger {
    self.init(repeating: 0, shape: shape, scalarType: scalarType)
  }

  /// Zeros.
  public init<Scalar>(zeros shape: [Int], scalarType: Scalar.Type = Scalar.self)
  where Scalar: MLTensorScalar, Scalar: FixedWidthInteger {
    self.init(repeating: 0, shape: shape, scalarType: scalarType)
  }

  /// Ones.
  public init<Scalar>(ones shape: [Int], scalarType: Scalar.Type = Scalar.self)
  where Scalar: MLTensorScalar, Scalar: BinaryFloatingPoint, Scalar.RawSignificand: FixedWidthInteger {
    self.init(repeating: 1, shape: shape, scalarType: scalarType)
  }

  /// Ones.
  public init<Scalar>(ones shape: [Int], scalarType: Scalar.Type = Scalar.self)
  where Scalar: MLTensorScalar, Scalar: FixedWidthInteger {
    self.init(repeating: 1, shape: shape, scalarType: scalarType)
  }
}

// MARK: Sequences

extension MLTensor {
  /// `count` numbers in equal steps, the first `start` and the last `end`.
  public init(linearSpaceFrom start: Float, through end: Float, count: Int) {
    self.init(linearSpaceFrom: start, through: end, count: count, scalarType: Float.self)
  }

  /// `count` numbers in equal steps, the first `start` and the last `end`; the steps are computed in double precision.
  public init<Scalar>(
    linearSpaceFrom start: Scalar,
    through end: Scalar,
    count: Int,
    scalarType: Scalar.Type = Scalar.self
  ) where Scalar: MLTensorScalar, Scalar: BinaryFloatingPoint {
    precondition(count >= 0, "a sequence of \(count) numbers")
    let (first, last) = (Double(start), Double(end))
    let step = count > 1 ? (last - first) / Double(count - 1) : 0
    self.init([count], ScalarKind(scalarType)) { bytes in
      let elements = bytes.bindMemory(to: Scalar.self)
      for index in 0..<count {
        let isLast = index == count - 1 && count > 1
        elements.initializeElement(at: index, to: isLast ? end : Scalar(first + Double(index) * step))
      }
    }
  }

  /// `start`, `start + stride`, … as long as they are before `end`. `stride` may be negative, but not 0.
  public init(rangeFrom start: Float, to end: Float, by stride: Float.Stride) {
    self.init(rangeFrom: start, to: end, by: stride, scalarType: Float.self)
  }

  /// `start`, `start + stride`, … as long as they are before `end`. `stride` may be negative, but not 0.
  public init<Scalar>(
    rangeFrom start: Scalar,
    to end: Scalar,
    by stride: Scalar.Stride,
    scalarType: Scalar.Type = Scalar.self
  ) where Scalar: MLTensorScalar, Scalar: Strideable {
    precondition(stride != 0, "a range in steps of 0")
    self.init(Array(Swift.stride(from: start, to: end, by: stride)), scalarType: scalarType)
  }
}

// MARK: Literals

extension MLTensor: ExpressibleByArrayLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral
{
  /// The tensors along a new first axis. They have one shape and type; literals of numbers take on the others' type,
  /// and whole ones among others are `Float`.
  public init(arrayLiteral elements: MLTensor...) {
    let first = elements.first { $0.handle.literal == nil } ?? elements.first { $0.kind == .float32 }
    self.init(stacking: elements.map { element in first.map { element.adapted(to: $0) } ?? element })
  }

  /// A tensor of `Float` without axes.
  public init(floatLiteral value: Float) {
    let number = Double(value)
    self.init(TensorNode([], .float32, .fill(ScalarKind.float32.lane(number))), literal: number)
  }

  /// A tensor of `Int32` without axes, which takes on the type of a tensor that it meets.
  public init(integerLiteral value: Int32) {
    let number = Double(value)
    self.init(TensorNode([], .int32, .fill(ScalarKind.int32.lane(number))), literal: number)
  }

  /// A tensor of `Bool` without axes.
  public init(booleanLiteral value: Bool) { self = MLTensor.scalar(value ? 1 : 0, .bool) }
}
