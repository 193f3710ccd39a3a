import CMLCImage
import MLCCore

/// Pictures as tensors: `uint8[height, width, channels]`, rows top down, channels grey, grey + alpha, RGB, RGB + alpha.
package enum ImageFile {
  /// The largest picture that is decoded, in bytes of pixels: 256 MiB.
  package static let maximumBytes = 1 << 28

  /// The picture in a file. Throws `file.*` and what `decode` throws.
  package static func read(_ path: String, channels: Int? = nil) throws(Diagnostic) -> Tensor {
    let file = try MappedFile(path: path)
    return try locating(Location(file: path)) { () throws(Diagnostic) in try decode(file.storage, channels: channels) }
  }

  /// The picture in `storage`, with as many channels as the file has, or with the 1 or 3 channels asked for
  /// (`channels(of:_:)`). Of 16-bit channels the nearest of 8 bits is taken. JPEG files are turned and mirrored as the
  /// orientation in their Exif data says.
  ///
  /// Throws `image.format` (none of `ImageFormat`, saying what it looks like) and what `stored` throws.
  package static func decode(_ storage: Storage, channels: Int? = nil) throws(Diagnostic) -> Tensor {
    defer { withExtendedLifetime(storage) {} }
    let bytes = storage.bytes
    precondition(channels == nil || channels == 1 || channels == 3)
    guard let format = ImageFormat(of: bytes) else {
      throw FileKind.otherwise("image.format", "neither a PNG, JPEG, BMP nor PNM file", bytes)
    }
    // Of JPEG files, which hold luma, libjpeg gives it.
    let coded = try stored(bytes, format, channels: format == .jpeg ? channels : nil)
    let picture = format == .jpeg ? (ImageOrientation(jpeg: bytes) ?? .upright).shown(coded) : coded
    guard let channels else { return picture }
    return self.channels(of: picture, channels)
  }

  /// The picture in `bytes`, of `format`, as it is stored, neither turned nor mirrored: with as many channels as the
  /// file has, or, of JPEG files, with the 1 or 3 `channels` asked for.
  ///
  /// Throws `image.png`, `image.jpeg`, `image.bmp`, `image.pnm`: damaged or cut off, or, as `.unsupported`, of a kind
  /// that is not read; and `image.size` (empty, or larger than `maximumBytes`).
  package static func stored(_ bytes: UnsafeRawBufferPointer, _ format: ImageFormat, channels: Int? = nil)
    throws(Diagnostic) -> Tensor
  {
    switch format {
    case .png, .jpeg: try coded(bytes, isPNG: format == .png, channels: channels)
    case .bmp: try BMP(bytes).pixels()
    case .pnm: try PNM(bytes).pixels()
    }
  }

  /// `[height, width, channels]`. Throws `image.size`.
  static func shape(_ height: Int, _ width: Int, _ channels: Int) throws(Diagnostic) -> [Int] {
    let shape = [height, width, channels]
    if shape.contains(where: { $0 <= 0 }) { throw Diagnostic("image.size", "\(width) × \(height) pixels are none") }
    guard let count = shape.checkedProduct, count <= maximumBytes else {
      throw Diagnostic("image.size", "\(width) × \(height) pixels are too many", kind: .unsupported)
    }
    return shape
  }

  /// `[height, width, channels]` that the picture in `bytes` has as it is stored, of which only the header is read.
  ///
  /// Throws as `stored` does.
  package static func size(_ bytes: UnsafeRawBufferPointer, _ format: ImageFormat) throws(Diagnostic) -> [Int] {
    switch format {
    case .png, .jpeg:
      var (message, size) = (mlc_image_message(), mlc_image_size())
      let read = format == .png ? mlc_png_size : mlc_jpeg_size
      let status = read(bytes.baseAddress, bytes.count, &size, &message)
      guard status == 0 else {
        throw Diagnostic(format.id, text(message), kind: status == MLC_IMAGE_UNSUPPORTED ? .unsupported : .badModel)
      }
      return try shape(Int(size.height), Int(size.width), Int(size.channels))
    case .bmp:
      let file = try BMP(bytes)
      return [file.height, file.width, max(3, file.masks.count)]
    case .pnm: return try PNM(bytes).shape
    }
  }

  /// The JPEG picture in `bytes` as it is stored, of which libjpeg decodes about each `reduction`-th pixel, 1, 2, 4 or
  /// 8, along rows and columns: `[⌈height / reduction⌉, ⌈width / reduction⌉, channels]`.
  ///
  /// Throws as `stored` does.
  package static func reduced(jpeg bytes: UnsafeRawBufferPointer, by reduction: Int) throws(Diagnostic) -> Tensor {
    precondition([1, 2, 4, 8].contains(reduction), "libjpeg does not reduce by \(reduction)")
    return try coded(bytes, isPNG: false, channels: nil, reduction: reduction)
  }

  /// What libpng or libjpeg decodes.
  private static func coded(
    _ bytes: UnsafeRawBufferPointer,
    isPNG: Bool,
    channels: Int?,
    reduction: Int = 1
  ) throws(Diagnostic) -> Tensor {
    var message = mlc_image_message()
    var size = mlc_image_size()
    func check(_ status: Int32) throws(Diagnostic) {
      if status == 0 { return }
      let ending = isPNG ? bytes.suffix(8).prefix(4) : bytes.suffix(2)
      let isWhole = ending.elementsEqual(isPNG ? Array("IEND".utf8) : [0xff, 0xd9])
      throw Diagnostic(
        isPNG ? "image.png" : "image.jpeg",
        (isWhole || status == MLC_IMAGE_UNSUPPORTED ? "" : "the file is cut off: ") + text(message),
        kind: status == MLC_IMAGE_UNSUPPORTED ? .unsupported : .badModel
      )
    }
    try check((isPNG ? mlc_png_size : mlc_jpeg_size)(bytes.baseAddress, bytes.count, &size, &message))
    if let channels, !isPNG { size.channels = UInt32(channels) }
    _ = try shape(Int(size.height), Int(size.width), Int(size.channels))
    if reduction > 1 { mlc_jpeg_reduce(&size, UInt32(reduction)) }
    let shape = [Int(size.height), Int(size.width), Int(size.channels)]
    var status: Int32 = 0
    let tensor = Tensor(.uint8, shape) { (out: UnsafeMutableBufferPointer<UInt8>) in
      let (start, count, pixels) = (bytes.baseAddress, bytes.count, out.baseAddress)
      status =
        isPNG
        ? mlc_png_decode(start, count, &size, pixels, &message)
        : mlc_jpeg_decode_reduced(start, count, UInt32(reduction), &size, pixels, &message)
    }
    try check(status)
    return tensor
  }

  /// Writes `uint8[height, width]` or `uint8[height, width, 1…4]` as PNG. The file appears whole or not at all.
  ///
  /// Throws `image.shape` for other tensors, `image.png` and `file.write`.
  package static func writePNG(_ tensor: Tensor, to path: String) throws(Diagnostic) {
    let encoded = try locating(Location(file: path)) { () throws(Diagnostic) in try encodedPNG(tensor) }
    try AtomicFile.write(encoded[...], to: path)
  }

  /// `uint8[height, width]` or `uint8[height, width, 1…4]` as the bytes of a PNG file.
  ///
  /// Throws `image.shape` for other tensors, and `image.png`.
  package static func encodedPNG(_ tensor: Tensor) throws(Diagnostic) -> [UInt8] {
    let shape = tensor.rank == 2 ? tensor.shape + [1] : tensor.shape
    guard tensor.dtype == .uint8, shape.count == 3, (1...4).contains(shape[2]), tensor.count > 0,
      tensor.count <= maximumBytes
    else {
      throw Diagnostic(
        "image.shape",
        "a picture is uint8[height, width, 1 to 4 channels], not \(tensor.type)",
        kind: .usage
      )
    }
    var size = mlc_image_size(width: UInt32(shape[1]), height: UInt32(shape[0]), channels: UInt32(shape[2]))
    var message = mlc_image_message()
    var encoded = [UInt8](repeating: 0, count: mlc_png_bound(&size))
    var count = encoded.count
    let status = tensor.withElements(of: UInt8.self) { pixels in
      mlc_png_encode(pixels.baseAddress, &size, &encoded, &count, &message)
    }
    guard status == 0 else { throw Diagnostic("image.png", text(message)) }
    return Array(encoded[..<count])
  }

  private static func text(_ message: mlc_image_message) -> String {
    withUnsafeBytes(of: message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
