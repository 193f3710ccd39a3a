import CPNGFiles

extension Picture {
  /// Reads a PNG file of any colour type; transparency shows white. Throws `Problem`.
  init(png path: String) throws {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    guard png_image_begin_read_from_file(&image, path) != 0 else { throw Problem("\(path): \(image.text)") }
    defer { png_image_free(&image) }
    // PNG_FORMAT_RGB.
    image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR)
    let (width, height) = (Int(image.width), Int(image.height))
    guard width > 0, height > 0, width * height <= 100_000_000 else {
      throw Problem("\(path): \(width) × \(height) pixels are too many")
    }
    var pixels = [UInt8](repeating: 0, count: 3 * width * height)
    var white = png_color(red: 255, green: 255, blue: 255)
    guard png_image_finish_read(&image, &white, &pixels, 0, nil) != 0 else { throw Problem("\(path): \(image.text)") }
    self.init(width: width, height: height, pixels: pixels)
  }

  /// Throws `Problem` when the file cannot be written.
  func write(png path: String) throws {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    (image.width, image.height) = (png_uint_32(width), png_uint_32(height))
    image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR)
    guard png_image_write_to_file(&image, path, 0, pixels, 0, nil) != 0 else { throw Problem("\(path): \(image.text)") }
  }
}

extension png_image {
  /// What libpng says went wrong.
  fileprivate var text: String {
    withUnsafeBytes(of: message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
