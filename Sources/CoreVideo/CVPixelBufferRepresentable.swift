// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Core Video's.

/// Columns and rows, in pixels.
public struct CVImageSize: Hashable, Sendable {
  public var width: Int, height: Int

  public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
}

/// How a plane of pixels lies in memory.
public struct CVPixelBufferPlaneProperties: Hashable, Sendable {
  /// In elements of the plane.
  public let size: CVImageSize
  /// From row to row.
  public let bytesPerRow: Int
}

/// What has the pixels of a buffer: who may read them, and who alone may write them.
public protocol CVPixelBufferRepresentable: Sendable, ~Copyable {
  /// Calls `body` with the buffer, which is not to be kept, nor written where it is only read.
  func withUnsafeBuffer<R: ~Copyable>(_ body: (CVPixelBuffer) throws -> sending R) rethrows -> sending R
}

extension CVPixelBufferRepresentable where Self: ~Copyable {
  public var size: CVImageSize { withUnsafeBuffer { CVImageSize(width: $0.width, height: $0.height) } }
  public var pixelFormatType: CVPixelFormatType { withUnsafeBuffer { CVPixelFormatType(rawValue: $0.pixelFormat) } }
  /// Whether the format has planes.
  public var isPlanar: Bool { withUnsafeBuffer { $0.isPlanar } }
  /// 1 for formats without planes.
  public var planeCount: Int { withUnsafeBuffer { $0.planes.count } }
  /// Of each plane; of formats without planes, of all pixels.
  public var planeProperties: [CVPixelBufferPlaneProperties] { withUnsafeBuffer { $0.planes.map { $0.properties } } }

  /// Calls `block` with the bytes of each plane, which are valid as long as it runs.
  public func accessUnsafeRawPlaneBytes<R>(
    _ block: ([(properties: CVPixelBufferPlaneProperties, bytes: UnsafeRawBufferPointer)]) throws -> sending R
  ) rethrows -> sending R {
    try withUnsafeBuffer { buffer in
      try buffer.locked(.readOnly) {
        try block(buffer.planes.map { ($0.properties, UnsafeRawBufferPointer($0.bytes)) })
      }
    }
  }
}

extension CVBuffer {
  /// Calls `body` while the buffer is locked.
  func locked<R>(_ flags: CVPixelBufferLockFlags, _ body: () throws -> sending R) rethrows -> sending R {
    CVPixelBufferLockBaseAddress(self, flags)
    defer { CVPixelBufferUnlockBaseAddress(self, flags) }
    return try body()
  }
}

extension CVBuffer.Plane {
  var properties: CVPixelBufferPlaneProperties {
    CVPixelBufferPlaneProperties(size: CVImageSize(width: width, height: height), bytesPerRow: bytesPerRow)
  }

  var bytes: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: base, count: bytesPerRow * height)
  }
}
