import Synchronization

/// Pixels in memory, in rows of one or several planes. Buffers are the same where they are one object.
///
/// A buffer may be read on several threads at once, and written on one.
public final class CVBuffer: Hashable, CustomStringConvertible {
  /// Rows of elements.
  struct Plane {
    let base: UnsafeMutableRawPointer
    let width: Int, height: Int, bytesPerRow: Int
  }

  let width: Int, height: Int
  let pixelFormat: OSType
  let planes: [Plane]
  let isPlanar: Bool
  /// Of all planes, in bytes.
  let dataSize: Int
  /// What it was made with.
  let attributes: CFDictionary
  /// How often it is locked.
  let locks = Atomic<Int>(0)
  let attachments = Mutex<[CFString: Attachment]>([:])
  private let release: () -> Void

  init(
    width: Int,
    height: Int,
    pixelFormat: OSType,
    planes: [Plane],
    isPlanar: Bool,
    dataSize: Int,
    attributes: CFDictionary,
    release: @escaping () -> Void
  ) {
    (self.width, self.height, self.pixelFormat, self.planes) = (width, height, pixelFormat, planes)
    (self.isPlanar, self.dataSize, self.attributes, self.release) = (isPlanar, dataSize, attributes, release)
  }

  deinit { release() }

  public static func == (a: CVBuffer, b: CVBuffer) -> Bool { a === b }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  public var description: String {
    let rows = planes.map { "\($0.width) × \($0.height), \($0.bytesPerRow) bytes a row" }.joined(separator: "; ")
    return "CVPixelBuffer \(width) × \(height) of \(PixelFormat.name(pixelFormat)): \(rows)"
  }
}

/// A buffer that holds a picture.
public typealias CVImageBuffer = CVBuffer
/// A buffer that holds a picture's pixels.
public typealias CVPixelBuffer = CVImageBuffer
