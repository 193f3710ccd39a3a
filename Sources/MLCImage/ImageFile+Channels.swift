import MLCCore

extension ImageFile {
  /// `uint8[height, width, 1…4]` → `uint8[height, width, count]`, `count` 1 or 3, in the numbers that the file has.
  ///
  /// Grey is repeated. Colour turns grey by the luma of ITU-R BT.601, 0.299 R + 0.587 G + 0.114 B. Alpha lays the
  /// colour c over white: (a c + (255 − a) 255) / 255. All are rounded to nearest, ties up.
  package static func channels(of picture: Tensor, _ count: Int) -> Tensor {
    precondition(picture.dtype == .uint8 && picture.rank == 3 && (1...4).contains(picture.shape[2]))
    precondition(count == 1 || count == 3)
    let (pixels, from) = (picture.shape[0] * picture.shape[1], picture.shape[2])
    let (hasAlpha, colours) = (from == 2 || from == 4, from > 2 ? 3 : 1)
    if from == count { return picture }
    return picture.withElements(of: UInt8.self) { source in
      Tensor(.uint8, [picture.shape[0], picture.shape[1], count]) { (out: UnsafeMutableBufferPointer<UInt8>) in
        for pixel in 0..<pixels {
          let place = pixel * from
          let alpha = hasAlpha ? Int(source[place + colours]) : 255
          func over(_ colour: Int) -> Int { (alpha * Int(source[place + colour]) + (255 - alpha) * 255 + 127) / 255 }
          if count == 1 {
            let luma = colours == 1 ? over(0) : (299 * over(0) + 587 * over(1) + 114 * over(2) + 500) / 1000
            out[pixel] = UInt8(luma)
          } else {
            for colour in 0..<3 { out[3 * pixel + colour] = UInt8(over(colours == 3 ? colour : 0)) }
          }
        }
      }
    }
  }

  /// The colours of `uint8[height, width, 1…4]` alone, as they are below alpha.
  package static func withoutAlpha(_ picture: Tensor) -> Tensor {
    let channels = picture.shape[2]
    return channels.isMultiple(of: 2) ? taking(Array(0..<channels - 1), of: picture) : picture
  }

  /// `uint8[height, width, channels]` with its channels from the last to the first.
  package static func reversed(_ picture: Tensor) -> Tensor {
    taking((0..<picture.shape[2]).reversed(), of: picture)
  }

  private static func taking(_ channels: [Int], of picture: Tensor) -> Tensor {
    let (pixels, from) = (picture.shape[0] * picture.shape[1], picture.shape[2])
    return picture.withElements(of: UInt8.self) { source in
      Tensor(.uint8, Array(picture.shape.prefix(2)) + [channels.count]) { (out: UnsafeMutableBufferPointer<UInt8>) in
        for pixel in 0..<pixels {
          for (place, channel) in channels.enumerated() {
            out[pixel * channels.count + place] = source[pixel * from + channel]
          }
        }
      }
    }
  }

  /// Whether alpha lets something through.
  package static func isTransparent(_ picture: Tensor) -> Bool {
    guard picture.rank == 3, picture.dtype == .uint8, picture.shape[2].isMultiple(of: 2), picture.shape[2] > 0 else {
      return false
    }
    return picture.withElements(of: UInt8.self) { pixels in
      stride(from: picture.shape[2] - 1, to: pixels.count, by: picture.shape[2]).contains { pixels[$0] < 255 }
    }
  }
}
