import CoreVideo
import Foundation
import MLCCore

/// The memory of shaped arrays, shared until one of them writes.
@usableFromInline final class ShapedMemory: @unchecked Sendable {  // written only while one array refers to it
  @usableFromInline let base: UnsafeMutableRawPointer
  /// The memory is someone else's, to be read only.
  @usableFromInline let isBorrowed: Bool
  /// Whose memory it is, if a pixel buffer's.
  let pixelBuffer: CVPixelBuffer?
  private let release: (UnsafeMutableRawPointer) -> Void

  init(
    _ base: UnsafeMutableRawPointer,
    isBorrowed: Bool = false,
    pixelBuffer: CVPixelBuffer? = nil,
    release: @escaping (UnsafeMutableRawPointer) -> Void
  ) {
    (self.base, self.isBorrowed, self.pixelBuffer, self.release) = (base, isBorrowed, pixelBuffer, release)
  }

  convenience init(byteCount: Int) {
    let base = UnsafeMutableRawPointer.allocate(byteCount: max(byteCount, 1), alignment: 64)
    self.init(base) { $0.deallocate() }
  }

  deinit { release(base) }
}

/// What a shaped array and its slices are made of: memory, and where in it the elements lie.
///
/// An implementation detail that is public only because a public protocol's defaults need it.
public struct _MLShapedBuffer<Scalar: MLShapedArrayScalar>: Sendable {
  @usableFromInline var memory: ShapedMemory
  /// Of the first element, in elements.
  @usableFromInline var start: Int
  @usableFromInline var layout: ArrayLayout

  init(_ memory: ShapedMemory, start: Int = 0, _ layout: ArrayLayout) {
    (self.memory, self.start, self.layout) = (memory, start, layout)
  }

  /// New dense memory that `fill` initialises.
  init(shape: [Int], _ fill: (UnsafeMutableBufferPointer<Scalar>) throws -> Void) rethrows {
    guard let layout = ArrayLayout(shape, width: MemoryLayout<Scalar>.stride),
      layout.count * MemoryLayout<Scalar>.stride <= maximumTensorBytes
    else { preconditionFailure("no array can have the shape \(shape)") }
    self.init(ShapedMemory(byteCount: layout.count * MemoryLayout<Scalar>.stride), layout)
    try fill(UnsafeMutableBufferPointer(start: elements, count: layout.count))
  }

  /// A copy of elements that lie in memory of others, dense.
  init(copying source: UnsafeBufferPointer<Scalar>, shape: [Int], strides: [Int]) {
    let type = Scalar.multiArrayDataType
    guard let layout = ArrayLayout(shape, strides: strides, width: type.byteCount), layout.extent <= source.count else {
      preconditionFailure("\(source.count) elements for the shape \(shape) with strides \(strides)")
    }
    self.init(shape: shape) { target in
      guard let start = source.baseAddress, let place = target.baseAddress, layout.count > 0,
        let dense = ArrayLayout(shape, width: type.byteCount)
      else { return }
      ElementCopy.copy(from: start, type, layout, to: place, type, dense)
    }
  }

  @inlinable var elements: UnsafeMutablePointer<Scalar> { memory.base.assumingMemoryBound(to: Scalar.self) + start }

  /// The same elements, dense, in memory of their own.
  @usableFromInline func copied() -> _MLShapedBuffer {
    _MLShapedBuffer(shape: layout.shape) { target in
      guard let place = target.baseAddress, layout.count > 0 else { return }
      let type = Scalar.multiArrayDataType
      guard let dense = ArrayLayout(layout.shape, width: type.byteCount) else { return }
      ElementCopy.copy(from: elements, type, layout, to: place, type, dense)
    }
  }

  @inlinable mutating func makeUnique() {
    if memory.isBorrowed || !isKnownUniquelyReferenced(&memory) { self = copied() }
  }

  /// The element at one index for each axis.
  @inlinable @inline(__always) func element(at indices: some Collection<Int>) -> Scalar {
    defer { withExtendedLifetime(memory) {} }
    return elements[layout.offset(indices)]
  }

  /// Replaces the element at one index for each axis.
  @inlinable @inline(__always) mutating func set(_ element: Scalar, at indices: some Collection<Int>) {
    makeUnique()
    elements[layout.offset(indices)] = element
    withExtendedLifetime(memory) {}
  }

  func read<R>(_ body: (UnsafeBufferPointer<Scalar>, [Int], [Int]) throws -> R) rethrows -> R {
    defer { withExtendedLifetime(memory) {} }
    return try body(UnsafeBufferPointer(start: elements, count: layout.extent), layout.shape, layout.strides)
  }

  mutating func write<R>(
    _ body: (inout UnsafeMutableBufferPointer<Scalar>, [Int], [Int]) throws -> R
  ) rethrows -> R {
    makeUnique()
    defer { withExtendedLifetime(memory) {} }
    var elements = UnsafeMutableBufferPointer(start: elements, count: layout.extent)
    return try body(&elements, layout.shape, layout.strides)
  }
}
