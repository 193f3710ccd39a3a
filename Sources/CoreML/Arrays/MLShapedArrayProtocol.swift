import Foundation

/// What shaped arrays and their slices have in common: elements of one type in a shape of any rank, which is a
/// collection of slices along its first axis.
public protocol MLShapedArrayProtocol<Scalar>: ExpressibleByArrayLiteral, MutableCollection, RandomAccessCollection,
  Equatable, CustomStringConvertible, Sendable
where Index == Int, Element == MLShapedArraySlice<Scalar>, ArrayLiteralElement == Scalar {
  associatedtype Scalar: MLShapedArrayScalar

  /// The size of each axis.
  var shape: [Int] { get }
  /// How many elements lie between neighbours along each axis.
  var strides: [Int] { get }
  /// All elements in row-major order.
  var scalars: [Scalar] { get set }
  /// The element of an array without axes; `nil` for any other.
  var scalar: Scalar? { get set }

  var _buffer: _MLShapedBuffer<Scalar> { get set }
  init(_buffer: _MLShapedBuffer<Scalar>)
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

  /// `initializer` gets the memory, which it must fill, and the strides.
  public init(
    unsafeUninitializedShape shape: [Int],
    initializingWith initializer: (inout UnsafeMutableBufferPointer<Scalar>, [Int]) throws -> Void
  ) rethrows {
    self.init(
      _buffer: try _MLShapedBuffer(shape: shape) { elements in
        var elements = elements
        try initializer(&elements, ArrayLayout.denseStrides(shape))
      }
    )
  }

  /// A view of memory that stays and keeps its contents until `deallocator` runs.
  public init(bytesNoCopy bytes: UnsafeRawPointer, shape: [Int], deallocator: Data.Deallocator) {
    self.init(bytesNoCopy: bytes, shape: shape, strides: ArrayLayout.denseStrides(shape), deallocator: deallocator)
  }

  /// A view of memory that stays and keeps its contents until `deallocator` runs; `strides` in elements.
  public init(bytesNoCopy bytes: UnsafeRawPointer, shape: [Int], strides: [Int], deallocator: Data.Deallocator) {
    let width = MemoryLayout<Scalar>.stride
    guard let layout = ArrayLayout(shape, strides: strides, width: width) else {
      preconditionFailure("no array can have the shape \(shape) with strides \(strides)")
    }
    let byteCount = layout.extent * width
    let memory = ShapedMemory(UnsafeMutableRawPointer(mutating: bytes), isBorrowed: true) { base in
      // Foundation's deallocators run when the data they belong to goes.
      _ = Data(bytesNoCopy: base, count: byteCount, deallocator: deallocator)
    }
    self.init(_buffer: _MLShapedBuffer(memory, layout))
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
