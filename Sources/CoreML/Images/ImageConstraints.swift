import CoreVideo
import Foundation

extension MLImageConstraint {
  /// Whether a prediction takes the buffer's format and size.
  func allows(_ buffer: CVPixelBuffer) -> Bool {
    let (width, height) = buffer.size
    return ImagePort.accepted(pixelFormatType).contains(buffer.format) && sizeConstraint.allows(width, height)
  }
}

extension MLImageSizeConstraint {
  fileprivate func allows(_ width: Int, _ height: Int) -> Bool {
    if type == .enumerated {
      return enumeratedImageSizes.contains { $0.pixelsWide == width && $0.pixelsHigh == height }
    }
    return [(width, pixelsWideRange), (height, pixelsHighRange)].allSatisfy { size, range in
      size >= range.location && (range.length == NSNotFound || size < range.location + range.length)
    }
  }
}
