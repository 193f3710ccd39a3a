import Foundation

/// Shaped arrays whose elements lie in a buffer of this module's. An implementation detail that is public only because
/// what it gives to public types is.
public protocol _MLBufferedArray: MLShapedArrayProtocol, Equatable, CustomStringConvertible, Sendable {}

extension _MLBufferedArray {
  public var shape: [Int] { _buffer.layout.shape }
  public var strides: [Int] { _buffer.layout.strides }

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

  /// Elements as they lie, shape and strides, during the closure.
  public func withUnsafeShapedBufferPointer<R>(
    _ body: (UnsafeBufferPointer<Scalar>, [Int], [Int]) throws -> R
  ) rethrows -> R {
    try _buffer.read(body)
  }

  /// Elements as they lie, to write to, shape and strides, during the closure.
  public mutating func withUnsafeMutableShapedBufferPointer<R>(
    _ body: (inout UnsafeMutableBufferPointer<Scalar>, [Int], [Int]) throws -> R
  ) rethrows -> R {
    try _buffer.write(body)
  }

  // MARK: As a value

  /// Same shape, equal elements.
  public static func == (a: Self, b: Self) -> Bool { a.shape == b.shape && a.scalars == b.scalars }

  public var description: String {
    if let scalar { return "\(scalar)" }
    if shape.count == 1 { return "[" + scalars.map { "\($0)" }.joined(separator: ", ") + "]" }
    return "[" + map { $0.description }.joined(separator: ",\n ") + "]"
  }
}
