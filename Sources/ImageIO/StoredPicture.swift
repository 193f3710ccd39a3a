import CoreGraphics
import Foundation
import MLCCore
import MLCImage

/// A picture in a PNG, JPEG, BMP or PNM file, or in the bytes of one. Its header is read, its pixels are not.
struct StoredPicture: PictureFile {
  private let storage: Storage
  let format: ImageFormat
  let width: Int, height: Int
  /// Of its pixels, as stored: grey, grey and alpha, colours, or colours and alpha.
  let channels: Int
  let orientation: CGImagePropertyOrientation

  /// Throws `image.format`, and what the format's reader throws.
  init(_ storage: Storage) throws(Diagnostic) {
    guard let format = ImageFormat(of: storage.bytes) else {
      throw FileKind.otherwise("image.format", "neither a PNG, JPEG, BMP nor PNM file", storage.bytes)
    }
    let shape = try ImageFile.size(storage.bytes, format)
    (self.storage, self.format) = (storage, format)
    (height, width, channels) = (shape[0], shape[1], shape[2])
    orientation = format == .jpeg ? StoredPicture.orientation(storage.bytes) : .up
    withExtendedLifetime(storage) {}
  }

  private static func orientation(_ bytes: UnsafeRawBufferPointer) -> CGImagePropertyOrientation {
    guard let found = ImageOrientation(jpeg: bytes) else { return .up }
    return CGImagePropertyOrientation.allCases.first { ImageOrientation(exif: Int($0.rawValue)) == found } ?? .up
  }

  /// Of JPEG files about each `reduction`-th pixel; others are decoded whole.
  func bitmap(reducedBy reduction: Int) throws(PictureError) -> Bitmap {
    defer { withExtendedLifetime(storage) {} }
    let bytes = storage.bytes
    let tensor = try wording { () throws(Diagnostic) in
      reduction > 1 && format == .jpeg
        ? try ImageFile.reduced(jpeg: bytes, by: reduction) : try ImageFile.stored(bytes, format)
    }
    let (rows, columns, channels) = (tensor.shape[0], tensor.shape[1], tensor.shape[2])
    let owner = TensorOwner(tensor)
    guard let start = tensor.withBytes({ $0.baseAddress }),
      let bitmap = Bitmap(
        start,
        tensor.byteCount,
        columns,
        rows,
        columns * channels,
        StoredPicture.layout(channels),
        owner: owner
      )
    else { throw PictureError("a picture of \(columns) × \(rows) pixels is too large") }
    return bitmap
  }

  private static func layout(_ channels: Int) -> PixelLayout {
    switch channels {
    case 1: .grey
    case 2: PixelLayout(bytes: 2, red: 0, green: 0, blue: 0, alpha: 1)
    case 3: .rgb
    default: .rgba
    }
  }
}

/// Keeps a tensor's memory.
private final class TensorOwner {
  let tensor: Tensor
  init(_ tensor: Tensor) { self.tensor = tensor }
}

/// Runs `body`, turning its diagnostics into words.
func wording<R>(_ body: () throws(Diagnostic) -> R) throws(PictureError) -> R {
  do throws(Diagnostic) { return try body() } catch { throw PictureError(error.description) }
}
