import CoreGraphics
import CoreVideo
import Foundation

/// A picture that becomes the input of a model.
package enum ImageSource: Sendable {
  case bitmap(Bitmap)
  case file(any PictureFile)

  /// As stored.
  package var size: (width: Int, height: Int) {
    switch self {
    case .bitmap(let bitmap): (bitmap.width, bitmap.height)
    case .file(let file): (file.width, file.height)
    }
  }

  /// Of the file; pictures in memory are upright.
  package var orientation: CGImagePropertyOrientation {
    if case .file(let file) = self { file.orientation } else { .up }
  }

  /// The picture in the file at `url`. Throws `MLModelError.io` with what is wrong with it, or `generic` with the
  /// product that reads files where it is not linked.
  package init(at url: URL) throws(MLModelError) {
    let reader = try ImageSource.reader()
    do throws(PictureError) { self = .file(try reader.picture(at: url)) } catch {
      throw MLModelError(.io, error.message)
    }
  }

  /// The picture that a file would hold. Throws as `init(at:)` does.
  package init(_ data: Data) throws(MLModelError) {
    let reader = try ImageSource.reader()
    do throws(PictureError) { self = .file(try reader.picture(in: data)) } catch {
      throw MLModelError(.io, error.message)
    }
  }

  private static func reader() throws(MLModelError) -> any PictureReader {
    do throws(PictureError) { return try LinkedPictureReader.find() } catch {
      throw MLModelError(.generic, error.message)
    }
  }
}

/// A picture as pixels of the size and format that a model takes.
package struct ImageDrawing {
  /// How it is turned to be shown.
  package var orientation: CGImagePropertyOrientation
  /// The part that is drawn, in fractions of what is shown, rows counted upwards.
  package var part: CGRect
  package var scaling: Scaling

  package init(
    orientation: CGImagePropertyOrientation,
    part: CGRect = CGRect(x: 0, y: 0, width: 1, height: 1),
    scaling: Scaling = .fill
  ) {
    (self.orientation, self.part, self.scaling) = (orientation, part, scaling)
  }

  /// A new buffer. Pictures in files are decoded as small as they may be.
  ///
  /// Throws `MLModelError.featureType` for a part without pixels and formats that are not drawn, `generic` where there
  /// is no memory, and `io` for a damaged file.
  package func buffer(of source: ImageSource, _ width: Int, _ height: Int, _ format: OSType) throws(MLModelError)
    -> CVPixelBuffer
  {
    let isHalf = format == kCVPixelFormatType_OneComponent16Half
    guard let layout = isHalf ? .grey : PixelLayout(pixelFormat: format) else {
      throw MLModelError(.featureType, "pictures are not drawn in the pixel format \(PixelFormat.name(format))")
    }
    let turn = Orientation(orientation)
    guard width > 0, height > 0,
      let placement = Placement(of: source.size, turn, part: part, scaling, into: (width, height))
    else {
      throw MLModelError(.featureType, "no pixel lies in the part \(part) of the picture, or in \(width) × \(height)")
    }
    let buffer = try CVBuffer.make(width, height, isHalf ? kCVPixelFormatType_OneComponent8 : format)
    let (bitmap, fitted) = try decoded(source, placement)
    guard bitmap.draw(fitted, into: buffer.base, bytesPerRow: buffer.bytesPerRow, layout) else {
      throw MLModelError(.generic, "there is no memory to draw a picture of \(width) × \(height) pixels")
    }
    return isHalf ? try halves(of: buffer) : buffer
  }

  private func decoded(_ source: ImageSource, _ placement: Placement) throws(MLModelError) -> (Bitmap, Placement) {
    switch source {
    case .bitmap(let bitmap): return (bitmap, placement)
    case .file(let file):
      do throws(PictureError) {
        let bitmap = try file.bitmap(reducedBy: placement.reduction)
        return (bitmap, placement.scaled(from: source.size, to: (bitmap.width, bitmap.height)))
      } catch { throw MLModelError(.io, error.message) }
    }
  }

  /// Bytes as halves of the same values, 0 to 255.
  private func halves(of bytes: CVPixelBuffer) throws(MLModelError) -> CVPixelBuffer {
    let (width, height) = bytes.size
    let result = try CVBuffer.make(width, height, kCVPixelFormatType_OneComponent16Half)
    let table = (0..<256).map { Float16($0) }
    for y in 0..<height {
      let source = (bytes.base + y * bytes.bytesPerRow).assumingMemoryBound(to: UInt8.self)
      let target = (result.base + y * result.bytesPerRow).assumingMemoryBound(to: Float16.self)
      for x in 0..<width { target[x] = table[Int(source[x])] }
    }
    withExtendedLifetime(bytes) {}
    return result
  }
}
