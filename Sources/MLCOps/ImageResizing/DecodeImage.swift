import MLCCore
import MLCGraph
import MLCImage

/// The picture in an encoded file: `x: uint8[n]` → `y: uint8[height, width, channels]`, `pixel_format` `RGB`, `BGR` (3
/// channels) or `Grayscale` (1). mlc extension.
///
/// PNG, JPEG, BMP and PNM files, as they are stored: the orientation in Exif data turns nothing, alpha is left out, and
/// grey is repeated. Of 16-bit channels the nearest of 8 bits is taken; grey of colours is `ImageFile.channels`' luma.
/// A file that is damaged, or none of pictures, gives a picture of no rows and columns. Throws `decode_image.dtype`,
/// `decode_image.mode`, and for sound files that are not read `image.format`, `image.size` and the format's
/// id. Source: ONNX `ImageDecoder`.
package struct DecodeImage: Operator {
  package var pixelFormat = "RGB"

  package static let schema = Schema<DecodeImage>(
    "decode_image",
    [.input("x", rank: 1...1), .attribute("pixel_format", \.pixelFormat)]
  )
  package init() {}
  package init(pixelFormat: String) { self.pixelFormat = pixelFormat }

  private var channels: Int { pixelFormat == "Grayscale" ? 1 : 3 }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    guard inputs["x"].dtype == .uint8 else { throw Diagnostic.dtype("decode_image", inputs["x"].dtype) }
    guard ["RGB", "BGR", "Grayscale"].contains(pixelFormat) else {
      throw Diagnostic("decode_image.mode", "'\(pixelFormat)' is neither RGB, BGR nor Grayscale")
    }
    return [Fact(.uint8, [inputs.fresh("height"), inputs.fresh("width"), Dim(channels)])]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let stored = try inputs["x"].withBytes { (bytes) throws(Diagnostic) in try Self.stored(bytes) }
    guard let stored else { return [Tensor(.uint8, [0, 0, channels], [Int]())] }
    let picture = ImageFile.channels(of: ImageFile.withoutAlpha(stored), channels)
    return [pixelFormat == "BGR" ? ImageFile.reversed(picture) : picture]
  }

  /// `nil` for what is damaged, or no picture.
  private static func stored(_ bytes: UnsafeRawBufferPointer) throws(Diagnostic) -> Tensor? {
    guard let format = ImageFormat(of: bytes) else {
      guard let other = FileKind.picture(bytes) else { return nil }
      let message = "it looks like \(other): PNG, JPEG, BMP and PNM files are read"
      throw Diagnostic("image.format", message, kind: .unsupported)
    }
    do throws(Diagnostic) { return try ImageFile.stored(bytes, format) } catch {
      if error.kind == .unsupported { throw error }
      return nil
    }
  }
}
