extension ImageOrientation {
  /// What the Exif data of a JPEG file says, in the first marker segment APP1 that holds some before the first scan
  /// (Exif 2.3, 4.7.2): the tag of the first directory, one number of 16 bits. `nil` where there is none, its value is
  /// not 1 … 8, or anything on the way to it is damaged.
  package init?(jpeg file: UnsafeRawBufferPointer) {
    guard let data = Self.exifData(file), let tiff = TIFFHeader(data), let value = tiff.firstShort(0x0112) else {
      return nil
    }
    self.init(exif: value)
  }

  /// What follows the identifier of the Exif segment. Like libjpeg it passes over what is no marker.
  private static func exifData(_ file: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    var place = 2
    while place + 4 <= file.count {
      let marker = file[place + 1]
      guard file[place] == 0xff, marker != 0xff else {
        place += 1
        continue
      }
      switch marker {
      case 0, 0x01, 0xd0...0xd8: place += 2
      case 0xd9, 0xda: return nil
      default:
        let length = Int(file[place + 2]) << 8 | Int(file[place + 3])
        guard length >= 2, length <= file.count - place - 2 else { return nil }
        let content = file[place + 4..<place + 2 + length]
        if marker == 0xe1, content.starts(with: "Exif\0\0".utf8) {
          return UnsafeRawBufferPointer(rebasing: content.dropFirst(6))
        }
        place += 2 + length
      }
    }
    return nil
  }
}

/// A TIFF header (TIFF 6.0, section 2) and the first directory behind it. Its bytes must stay valid while it lives.
private struct TIFFHeader {
  private let bytes: UnsafeRawBufferPointer
  private let isBigEndian: Bool

  /// `nil` for what is no TIFF.
  init?(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    if bytes.starts(with: "II".utf8) {
      isBigEndian = false
    } else if bytes.starts(with: "MM".utf8) {
      isBigEndian = true
    } else {
      return nil
    }
    guard number(at: 2, of: 2) == 42 else { return nil }
  }

  /// The value of `tag` in the first directory; `nil` when it is not there, or not one number of 16 bits.
  func firstShort(_ tag: Int) -> Int? {
    guard let directory = number(at: 4, of: 4), let count = number(at: directory, of: 2) else { return nil }
    for entry in 0..<count {
      let place = directory + 2 + 12 * entry
      guard let found = number(at: place, of: 2) else { return nil }
      if found != tag { continue }
      guard number(at: place + 2, of: 2) == 3, number(at: place + 4, of: 4) == 1 else { return nil }
      return number(at: place + 8, of: 2)
    }
    return nil
  }

  /// The unsigned number in `count` bytes at `place`, which is not negative; `nil` beyond the end.
  private func number(at place: Int, of count: Int) -> Int? {
    guard place <= bytes.count - count else { return nil }
    let digits = (0..<count).map { Int(bytes[place + (isBigEndian ? $0 : count - 1 - $0)]) }
    return digits.reduce(0) { $0 << 8 | $1 }
  }
}
