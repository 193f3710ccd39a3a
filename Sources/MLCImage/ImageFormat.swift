import MLCCore

/// The formats of pictures that are read, told by their first bytes.
package enum ImageFormat: Sendable {
  case png, jpeg, bmp, pnm

  package init?(of bytes: UnsafeRawBufferPointer) {
    if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) {
      self = .png
    } else if bytes.starts(with: [0xff, 0xd8, 0xff]) {
      self = .jpeg
    } else if bytes.starts(with: Array("BM".utf8)), bytes.dropFirst(6).starts(with: [0, 0, 0, 0]) {
      self = .bmp
    } else if bytes.count > 2, bytes[0] == UInt8(ascii: "P"), (0x31...0x36).contains(bytes[1]),
      PNM.isSpace(bytes[2]) || bytes[2] == PNM.comment
    {
      self = .pnm
    } else {
      return nil
    }
  }

  /// What a file is found damaged by.
  package var id: Diagnostic.ID {
    switch self {
    case .png: "image.png"
    case .jpeg: "image.jpeg"
    case .bmp: "image.bmp"
    case .pnm: "image.pnm"
    }
  }
}
