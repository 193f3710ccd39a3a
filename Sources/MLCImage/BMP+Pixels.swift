import MLCCore

extension BMP {
  /// `uint8[height, width, 3]`, with alpha `[height, width, 4]`. Throws `image.bmp` where a pixel is of a colour that
  /// the palette does not have.
  func pixels() throws(Diagnostic) -> Tensor {
    let channels = max(3, masks.count)
    var isOutside = false
    let tensor = Tensor(.uint8, try ImageFile.shape(height, width, channels)) {
      (out: UnsafeMutableBufferPointer<UInt8>) in
      for y in 0..<height {
        let row = start + stride * (isTopDown ? y : height - 1 - y)
        for x in 0..<width {
          let (pixel, place) = (pixel(row, x), (y * width + x) * channels)
          if masks.isEmpty {
            guard pixel < palette.count else {
              isOutside = true
              return
            }
            // Blue comes first.
            for channel in 0..<3 { out[place + channel] = bytes[palette.start + palette.bytes * pixel + 2 - channel] }
          } else {
            for channel in 0..<channels { out[place + channel] = masks[channel].colour(of: pixel) }
          }
        }
      }
    }
    if isOutside { throw Diagnostic("image.bmp", "a pixel is of a colour beyond the \(palette.count) of the palette") }
    return tensor
  }

  /// The bits of the pixel in column `x` of the row that begins at `row`; the first of a byte are its highest.
  private func pixel(_ row: Int, _ x: Int) -> Int {
    if bits < 8 {
      let place = x * bits
      return Int(bytes[row + place / 8]) >> (8 - bits - place % 8) & (1 << bits - 1)
    }
    let place = row + x * bits / 8
    return (0..<bits / 8).reversed().reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
  }
}
