import CoreVideo
import Foundation
import MLCCore

extension ArrayLayout {
  /// Of rows of a pixel buffer: the last axis is as long as a row, the others together as there are rows. Traps for
  /// buffers of another format than `type`'s and shapes of other extents.
  fileprivate init(_ buffer: CVPixelBuffer, _ shape: [Int], _ type: MLMultiArrayDataType) {
    let (width, height) = buffer.size
    precondition(
      MLMultiArrayDataType(pixelFormat: buffer.format) == type,
      "a pixel buffer of the format \(PixelFormat.name(buffer.format)) does not hold elements of \(type)"
    )
    precondition(
      shape.last == width && shape.allSatisfy { $0 > 0 } && Array(shape.dropLast()).checkedProduct == height,
      "an array of the shape \(shape) does not have the \(height) rows of \(width) that the pixel buffer has"
    )
    precondition(buffer.bytesPerRow.isMultiple(of: type.byteCount), "the rows begin within an element")
    var strides = [Int](repeating: 1, count: shape.count)
    var step = buffer.bytesPerRow / type.byteCount
    for axis in shape.indices.dropLast().reversed() {
      strides[axis] = step
      step *= shape[axis]
    }
    guard let layout = ArrayLayout(shape, strides: strides, width: type.byteCount) else {
      preconditionFailure("no array can have the shape \(shape) with strides \(strides)")
    }
    self = layout
  }
}

extension MLMultiArrayDataType {
  /// The elements of a format with one number a pixel; `nil` for others.
  fileprivate init?(pixelFormat: OSType) {
    switch pixelFormat {
    case kCVPixelFormatType_OneComponent16Half: self = .float16
    case kCVPixelFormatType_OneComponent32Float: self = .float32
    default: return nil
    }
  }
}

extension MLMultiArray {
  /// An array of the buffer's memory, which stays with it: the last axis is as long as a row of the buffer, the others
  /// together as many as there are rows.
  ///
  /// Traps for formats other than `kCVPixelFormatType_OneComponent16Half` and `…32Float`, and for other extents.
  public convenience init(pixelBuffer: CVPixelBuffer, shape: [NSNumber]) {
    guard let type = MLMultiArrayDataType(pixelFormat: pixelBuffer.format) else {
      preconditionFailure("no array has the pixels of the format \(PixelFormat.name(pixelBuffer.format))")
    }
    let layout = ArrayLayout(pixelBuffer, shape.map { $0.intValue }, type)
    self.init(type, layout, base: pixelBuffer.base, pixelBuffer: pixelBuffer, release: nil)
  }
}

extension MLShapedArrayProtocol {
  /// An array of the buffer's memory, which writes to the array change until it is copied. Its last axis is as long as
  /// a row of the buffer, the others together as many as there are rows.
  ///
  /// Traps for buffers whose format is not that of `Scalar`, and for other extents.
  public init(mutating pixelBuffer: CVPixelBuffer, shape: [Int]) {
    let layout = ArrayLayout(pixelBuffer, shape, Scalar.multiArrayDataType)
    let memory = ShapedMemory(pixelBuffer.base, pixelBuffer: pixelBuffer) { _ in }
    self.init(_buffer: _MLShapedBuffer(memory, layout))
  }
}

extension MLShapedArray {
  /// Calls `body` with the buffer whose memory the array's elements are; `nil` where they are elsewhere.
  public func withPixelBufferIfAvailable<R>(_ body: (CVPixelBuffer) throws -> R) rethrows -> R? {
    try _buffer.memory.pixelBuffer.map(body)
  }

  /// Calls `body` with the buffer whose memory the array's elements are, and no other array's; `nil` where they are
  /// elsewhere or shared.
  public mutating func withMutablePixelBufferIfAvailable<R>(_ body: (CVPixelBuffer) throws -> R) rethrows -> R? {
    guard isKnownUniquelyReferenced(&_buffer.memory) else { return nil }
    return try _buffer.memory.pixelBuffer.map(body)
  }
}
