import Foundation
import MLCCore

/// The memory of shaped arrays, shared until one of them writes.
@usableFromInline final class ShapedMemory: @unchecked Sendable {  // written only while one array refers to it
  @usableFromInline let base: UnsafeMutableRawPointer
  /// The memory is someone else's, to be read only.
  @usableFromInline let isBorrowed: Bool
  private let release: (UnsafeMutableRawPointer) -> Void

  init(_ base: UnsafeMutableRawPointer, isBorrowed: Bool = false, release: @escaping (UnsafeMutableRawPointer) -> Void)
  {
    (self.base, self.isBorrowed, self.release) = (base, isBorrowed, release)
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

  /// The part at `index` of the first axis.
  func part(_ index: Int) -> _MLShapedBuffer {
    precondition(!layout.shape.isEmpty, "an array without axes has no parts")
    precondition(index >= 0 && index < layout.shape[0], "index \(index) is outside of \(layout.shape[0])")
    return part([index..<index + 1] + layout.shape.dropFirst().map { 0..<$0 }, dropping: 1)
  }

  /// What lies in `ranges`, one for each axis, without the first `dropped` axes.
  func part(_ ranges: [Range<Int>], dropping dropped: Int) -> _MLShapedBuffer {
    var offset = start
    for (axis, range) in ranges.enumerated() {
      let isInside = range.lowerBound >= 0 && range.upperBound <= layout.shape[axis]
      precondition(isInside, "\(range) is outside of axis \(axis)")
      offset += range.lowerBound * layout.strides[axis]
    }
    let (shape, strides) = (ranges.dropFirst(dropped).map { $0.count }, Array(layout.strides.dropFirst(dropped)))
    guard let inner = ArrayLayout(shape, strides: strides, width: MemoryLayout<Scalar>.stride) else {
      preconditionFailure("a part is larger than the whole")
    }
    return _MLShapedBuffer(memory, start: offset, inner)
  }

  /// Replaces the elements by those of `other`, of the same shape.
  mutating func assign(_ other: _MLShapedBuffer, at index: Int) {
    makeUnique()
    let target = part(index)
    precondition(target.layout.shape == other.layout.shape, "a part of another shape")
    guard other.layout.count > 0 else { return }
    let type = Scalar.multiArrayDataType
    let source = other.memory === memory ? other.copied() : other
    ElementCopy.copy(from: source.elements, type, source.layout, to: target.elements, type, target.layout)
    withExtendedLifetime((source.memory, memory)) {}
  }
}
