// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Core Video's.

/// The pixels of a buffer that one owner writes. Whoever is done with writing makes it a `CVReadOnlyPixelBuffer`, which
/// may be shared.
public struct CVMutablePixelBuffer: ~Copyable, CVPixelBufferRepresentable, @unchecked Sendable {  // has one owner
  fileprivate let buffer: CVPixelBuffer

  /// Takes the buffer over: nobody else reads or writes it from now on.
  public init(unsafeBuffer: sending CVPixelBuffer) { buffer = unsafeBuffer }

  /// A buffer of zeros. Throws `CVError` as `CVPixelBufferCreate` answers.
  public init(_ attributes: CVPixelBufferCreationAttributes) throws {
    var made: CVPixelBuffer?
    let (size, format) = (attributes.size, attributes.pixelFormatType.rawValue)
    try CVError.check(CVPixelBufferCreate(nil, size.width, size.height, format, attributes.dictionary, &made))
    guard let made else { throw CVError.internalError }
    buffer = made
  }

  /// Calls `body` with the buffer, which is not to be kept.
  public func withUnsafeBuffer<R: ~Copyable>(_ body: (CVPixelBuffer) throws -> sending R) rethrows -> sending R {
    try body(buffer)
  }

  /// Calls `block` with the bytes of each plane, which are valid as long as it runs.
  public mutating func accessUnsafeMutableRawPlaneBytes<R>(
    _ block: ([(properties: CVPixelBufferPlaneProperties, bytes: UnsafeMutableRawBufferPointer)]) throws -> sending R
  ) rethrows -> sending R {
    try buffer.locked([]) { try block(buffer.planes.map { ($0.properties, $0.bytes) }) }
  }

  /// There are no columns and rows around the picture: nothing is done.
  @discardableResult
  public mutating func fillExtendedPixels() -> Bool { CVPixelBufferFillExtendedPixels(buffer) == kCVReturnSuccess }
}

/// The pixels of a buffer that nobody writes any more, so that all may read them.
public final class CVReadOnlyPixelBuffer: CVPixelBufferRepresentable, @unchecked Sendable {  // is only read
  private let buffer: CVPixelBuffer

  /// Takes the buffer over: nobody writes it from now on.
  public init(unsafeBuffer: sending CVPixelBuffer) { buffer = unsafeBuffer }

  /// The pixels, without a copy.
  public init(_ mutableBuffer: consuming CVMutablePixelBuffer) { buffer = mutableBuffer.buffer }

  /// Calls `body` with the buffer, which is not to be kept or written.
  public func withUnsafeBuffer<R: ~Copyable>(_ body: (CVPixelBuffer) throws -> sending R) rethrows -> sending R {
    try body(buffer)
  }
}

/// A format of pixels: `CVPixelFormatType(rawValue: kCVPixelFormatType_32BGRA)`.
public struct CVPixelFormatType: RawRepresentable, Hashable, Sendable {
  public let rawValue: OSType
  public init(rawValue: OSType) { self.rawValue = rawValue }
}

/// What a buffer is made of.
public struct CVPixelBufferCreationAttributes: Hashable, Sendable {
  public var pixelFormatType: CVPixelFormatType
  public var size: CVImageSize
  /// Rows begin at multiples of so many bytes, a power of two; `nil` for what `CVPixelBufferCreate` chooses.
  public var bytesPerRowAlignment: Int?

  public init(pixelFormatType: CVPixelFormatType, size: CVImageSize, bytesPerRowAlignment: Int? = nil) {
    (self.pixelFormatType, self.size, self.bytesPerRowAlignment) = (pixelFormatType, size, bytesPerRowAlignment)
  }

  fileprivate var dictionary: CFDictionary {
    bytesPerRowAlignment.map { [kCVPixelBufferBytesPerRowAlignmentKey: $0] } ?? [:]
  }
}
