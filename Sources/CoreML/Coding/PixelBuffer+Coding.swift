import CoreVideo
import Foundation

// Pixel buffers in archives: format, extents, and the rows of each plane without gaps.
extension NSCoder {
  func encode(pixels buffer: CVPixelBuffer, forKey key: String) {
    let extents = [CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer)]
    encode(numbers: extents + [Int(CVPixelBufferGetPixelFormatType(buffer))], forKey: key)
    for (number, plane) in PixelRows.planes(of: buffer).enumerated() {
      var bytes = Data(capacity: plane.width * plane.height)
      for row in 0..<plane.height {
        bytes.append(plane.start(row).assumingMemoryBound(to: UInt8.self), count: plane.width)
      }
      encode(bytes as NSData, forKey: "\(key).\(number)")
    }
  }

  /// `nil` where there is none, its format is not known, or its bytes are not as many as its extents say.
  func pixels(forKey key: String) -> CVPixelBuffer? {
    guard let numbers = numbers(forKey: key), numbers.count == 3, let format = OSType(exactly: numbers[2]) else {
      return nil
    }
    // Before memory is taken for them: no pixel has less than a byte.
    let first = object(NSData.self, forKey: "\(key).0")
    guard numbers[0] > 0, numbers[1] > 0, let length = first?.length, numbers[0] <= length / numbers[1] else {
      return nil
    }
    var created: CVPixelBuffer?
    CVPixelBufferCreate(nil, numbers[0], numbers[1], format, nil, &created)
    guard let buffer = created else { return nil }
    for (number, plane) in PixelRows.planes(of: buffer).enumerated() {
      guard let bytes = number == 0 ? first : object(NSData.self, forKey: "\(key).\(number)"),
        bytes.length == plane.width * plane.height
      else { return nil }
      for row in 0..<plane.height {
        plane.start(row).copyMemory(from: bytes.bytes + row * plane.width, byteCount: plane.width)
      }
    }
    return buffer
  }
}

/// The rows of a plane, of `width` bytes.
private struct PixelRows {
  let base: UnsafeMutableRawPointer
  let width: Int, height: Int, stride: Int

  func start(_ row: Int) -> UnsafeMutableRawPointer { base + row * stride }

  static func planes(of buffer: CVPixelBuffer) -> [PixelRows] {
    switch PixelFormat(CVPixelBufferGetPixelFormatType(buffer)) {
    case .packed(let bytes)?:
      guard let base = CVPixelBufferGetBaseAddress(buffer) else { return [] }
      let row = CVPixelBufferGetBytesPerRow(buffer)
      return [
        .init(
          base: base,
          width: bytes * CVPixelBufferGetWidth(buffer),
          height: CVPixelBufferGetHeight(buffer),
          stride: row
        )
      ]
    case .planar(let planes)?:
      return planes.enumerated().compactMap { place, plane in
        CVPixelBufferGetBaseAddressOfPlane(buffer, place).map {
          PixelRows(
            base: $0,
            width: plane.bytes * CVPixelBufferGetWidthOfPlane(buffer, place),
            height: CVPixelBufferGetHeightOfPlane(buffer, place),
            stride: CVPixelBufferGetBytesPerRowOfPlane(buffer, place)
          )
        }
      }
    case nil: return []
    }
  }
}
