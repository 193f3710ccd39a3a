import CoreGraphics
import CoreVideo
import Foundation

/// A picture that requests are performed on.
struct HandledImage {
  enum Content {
    case buffer(CVPixelBuffer)
    case image(CGImage)
    case file(URL)
    case data(Data)
  }

  let content: Content
  /// How it is turned to be shown; `nil` for what the file says.
  let orientation: CGImagePropertyOrientation?

  /// Throws `MLModelError` for files and pixels that are not read.
  func source() throws -> (ImageSource, CGImagePropertyOrientation) {
    let source: ImageSource =
      switch content {
      case .buffer(let buffer): .bitmap(try buffer.bitmap())
      case .image(let image): .bitmap(image.bitmap)
      case .file(let url): try ImageSource(at: url)
      case .data(let data): try ImageSource(data)
      }
    return (source, orientation ?? source.orientation)
  }
}
