import Foundation

/// What shaped arrays and their slices have in common: elements of one type in a shape of any rank, which is a
/// collection of slices along its first axis.
///
/// Other types may conform: two initialisers, shape, strides and two accesses to their memory are what they say, all
/// else follows. What follows copies their elements, which `MLShapedArray` and its slices do without.
public protocol MLShapedArrayProtocol<Scalar>: ExpressibleByArrayLiteral, MutableCollection, RandomAccessCollection
where Index == Int, Element == MLShapedArraySlice<Scalar>, ArrayLiteralElement == Scalar {
  associatedtype Scalar: MLShapedArrayScalar

  /// The size of each axis.
  var shape: [Int] { get }
  /// How many elements lie between neighbours along each axis.
  var strides: [Int] { get }

  /// A view of memory that stays and keeps its contents until `deallocator` runs, or a copy; `strides` in elements.
  init(bytesNoCopy bytes: UnsafeRawPointer, shape: [Int], strides: [Int], deallocator: Data.Deallocator)
  /// `initializer` gets the memory, which it must fill, and the strides.
  init(
    unsafeUninitializedShape shape: [Int],
    initializingWith initializer: (inout UnsafeMutableBufferPointer<Scalar>, [Int]) throws -> Void
  ) rethrows

  /// Elements as they lie, shape and strides, during the closure.
  func withUnsafeShapedBufferPointer<R>(
    _ body: (UnsafeBufferPointer<Scalar>, [Int], [Int]) throws -> R
  ) rethrows -> R
  /// Elements as they lie, to write to, shape and strides, during the closure.
  mutating func withUnsafeMutableShapedBufferPointer<R>(
    _ body: (inout UnsafeMutableBufferPointer<Scalar>, [Int], [Int]) throws -> R
  ) rethrows -> R

  /// The elements as this module keeps them. An implementation detail, which every type has.
  var _buffer: _MLShapedBuffer<Scalar> { get set }
  init(_buffer: _MLShapedBuffer<Scalar>)
}

// MARK: Of other types

extension MLShapedArrayProtocol {
  /// A copy.
  public var _buffer: _MLShapedBuffer<Scalar> {
    get { withUnsafeShapedBufferPointer { _MLShapedBuffer(copying: $0, shape: $1, strides: $2) } }
    set { self = Self(_buffer: newValue) }
  }

  /// With a copy of the elements.
  public init(_buffer buffer: _MLShapedBuffer<Scalar>) {
    self.init(unsafeUninitializedShape: buffer.layout.shape) { target, strides in
      guard let place = target.baseAddress, buffer.layout.count > 0 else { return }
      let type = Scalar.multiArrayDataType
      guard let layout = ArrayLayout(buffer.layout.shape, strides: strides, width: type.byteCount),
        layout.extent <= target.count
      else { preconditionFailure("memory for \(target.count) elements is none for the shape \(buffer.layout.shape)") }
      buffer.read { source, _, _ in
        guard let start = source.baseAddress else { return }
        ElementCopy.copy(from: start, type, buffer.layout, to: place, type, layout)
      }
    }
  }
}

// MARK: Making

extension MLShapedArrayProtocol {
  /// The first `scalars` in row-major order, of which there are at least as many as the shape has.
  public init<S: Sequence>(scalars: S, shape: [Int]) where S.Element == Scalar {
    self.init(_buffer: _MLShapedBuffer(shape: shape) { $0.fill(from: scalars, for: shape) })
  }

  public init(repeating value: Scalar, shape: [Int]) {
    self.init(_buffer: _MLShapedBuffer(shape: shape) { $0.initialize(repeating: value) })
  }

  /// An array without axes.
  public init(scalar: Scalar) { self.init(repeating: scalar, shape: []) }

  public init(identityMatrixOfSize size: Int) {
    self.init(repeating: Scalar(converting: 0), shape: [size, size])
    for index in 0..<size { self[scalarAt: index, index] = Scalar(converting: 1) }
  }

  /// A view of memory that stays and keeps its contents until `deallocator` runs.
  public init(bytesNoCopy bytes: UnsafeRawPointer, shape: [Int], deallocator: Data.Deallocator) {
    self.init(bytesNoCopy: bytes, shape: shape, strides: ArrayLayout.denseStrides(shape), deallocator: deallocator)
  }

  /// A copy of `data`, dense.
  public init(data: Data, shape: [Int]) {
    self.init(data: data, shape: shape, strides: ArrayLayout.denseStrides(shape))
  }

  /// A copy of `data`, whose neighbours lie `strides` elements apart.
  public init(data: Data, shape: [Int], strides: [Int]) {
    let width = MemoryLayout<Scalar>.stride
    guard let layout = ArrayLayout(shape, strides: strides, width: width), layout.extent * width <= data.count else {
      preconditionFailure("\(data.count) bytes for the shape \(shape) with strides \(strides)")
    }
    let memory = ShapedMemory(byteCount: layout.extent * width)
    let target = UnsafeMutableRawBufferPointer(start: memory.base, count: layout.extent * width)
    data.prefix(target.count).withUnsafeBytes { target.copyBytes(from: $0) }
    self.init(_buffer: _MLShapedBuffer(memory, layout))
  }

  /// A copy of an array of the same element type.
  public init(_ multiArray: MLMultiArray) {
    precondition(multiArray.dataType == Scalar.multiArrayDataType, "the array has other elements than \(Scalar.self)")
    self.init(converting: multiArray)
  }

  /// A copy of an array, converted to this element type.
  public init(converting multiArray: MLMultiArray) {
    self.init(
      _buffer: _MLShapedBuffer(shape: multiArray.layout.shape) { elements in
        let type = Scalar.multiArrayDataType
        guard let place = elements.baseAddress, elements.count > 0,
          let dense = ArrayLayout(multiArray.layout.shape, width: type.byteCount)
        else { return }
        ElementCopy.copy(from: multiArray.base, multiArray.dataType, multiArray.layout, to: place, type, dense)
      }
    )
  }

  /// A copy of an array, converted to this element type.
  public init<Other: MLShapedArrayProtocol>(converting source: Other) { self.init(converting: MLMultiArray(source)) }

  /// The arrays one after the other along an axis, which may be counted from the last, -1. Their other axes must have
  /// equal sizes.
  public init<S: Sequence>(concatenating shapedArrays: S, alongAxis axis: Int)
  where S.Element: MLShapedArrayProtocol, S.Element.Scalar == Scalar {
    let arrays = shapedArrays.map { MLMultiArray($0) }
    self.init(MLMultiArray(concatenating: arrays, axis: axis, dataType: Scalar.multiArrayDataType))
  }

  /// An array with one axis.
  public init(arrayLiteral elements: Scalar...) { self.init(scalars: elements, shape: [elements.count]) }
}

extension UnsafeMutableBufferPointer where Element: BitwiseCopyable {
  /// Initialises all elements to the first of `source`, which must not have fewer.
  fileprivate func fill(from source: some Sequence<Element>, for shape: [Int]) {
    let copied = source.withContiguousStorageIfAvailable { list in
      precondition(list.count >= count, "\(list.count) scalars for the shape \(shape)")
      return initialize(fromContentsOf: list.prefix(count))
    }
    if copied != nil { return }
    var index = 0
    for element in source.prefix(count) {
      initializeElement(at: index, to: element)
      index += 1
    }
    precondition(index == count, "\(index) scalars for the shape \(shape)")
  }
}
