/// What a file is that is not what its name says.
package enum FileKind {
  /// `an empty file`, `HTML or XML`, `text`; `nil` for what nothing is known of.
  package static func guess(_ bytes: UnsafeRawBufferPointer) -> String? {
    if bytes.isEmpty { return "an empty file" }
    let signatures: [(offset: Int, bytes: [UInt8], name: String)] = [
      (0, [0x89] + Array("HDF\r\n\u{1a}\n".utf8), "HDF5 (Keras .h5)"),
      (0, Array("PK\u{3}\u{4}".utf8), "a zip archive (PyTorch .pt, Keras .keras, .npz)"),
      (0, [0x80, 0x02], "a Python pickle (PyTorch .pth)"),
      (0, [0x80, 0x04], "a Python pickle (PyTorch .pth)"),
      (0, [0x1f, 0x8b], "gzip data"),
      (0, [0xff, 0xfe], "text in UTF-16; save it as UTF-8"), (0, [0xfe, 0xff], "text in UTF-16; save it as UTF-8"),
      (0, Array("version https://git-lfs".utf8), "a Git LFS pointer; fetch the file itself with 'git lfs pull'"),
      (0, Array("GGUF".utf8), "GGUF (llama.cpp)"),
      (4, Array("TFL3".utf8), "TensorFlow Lite"),
      (4, Array("ORTM".utf8), "ONNX Runtime's own format (.ort)"),
      (8, Array("{\"".utf8), "safetensors"),
      (0, Array("<".utf8), "HTML or XML"),
      (0, Array("{".utf8), "JSON"),
      (0, Array("[".utf8), "JSON"),
    ]
    let all = pictures + signatures
    if let known = all.first(where: { bytes.dropFirst($0.offset).starts(with: $0.bytes) }) { return known.name }
    if bytes.starts(with: Array("BM".utf8)), bytes.dropFirst(6).starts(with: [0, 0, 0, 0]) { return "a BMP picture" }
    return isText(bytes.prefix(512), isCut: bytes.count > 512) ? "text" : nil
  }

  /// The same for pictures in formats that are not read.
  package static func picture(_ bytes: UnsafeRawBufferPointer) -> String? {
    pictures.first { bytes.dropFirst($0.offset).starts(with: $0.bytes) }?.name
  }

  /// That a file is not what it should be, with what it looks like, and for pictures what to do.
  package static func otherwise(_ id: Diagnostic.ID, _ message: String, _ bytes: UnsafeRawBufferPointer) -> Diagnostic {
    guard let guess = guess(bytes) else { return Diagnostic(id, message) }
    let notes = guess.hasSuffix("picture") ? ["save it as PNG, as 'convert IN OUT.png' does"] : []
    return Diagnostic(id, "\(message): it looks like \(guess)", notes: notes)
  }

  private static let pictures: [(offset: Int, bytes: [UInt8], name: String)] = [
    (0, Array("GIF8".utf8), "a GIF picture"), (8, Array("WEBP".utf8), "a WebP picture"),
    (0, [0x49, 0x49, 42, 0], "a TIFF picture"), (0, [0x4d, 0x4d, 0, 42], "a TIFF picture"),
    (0, [0, 0, 0, 12] + Array("jP  ".utf8), "a JPEG 2000 picture"),
    (0, [0xff, 0x4f, 0xff, 0x51], "a JPEG 2000 picture"),
    (4, Array("ftyphei".utf8), "a HEIF picture"), (4, Array("ftypmif1".utf8), "a HEIF picture"),
    (4, Array("ftypavif".utf8), "an AVIF picture"),
  ]

  /// Whether a file may begin so that holds text alone: no control characters but tabs and those that end lines, and
  /// UTF-8, whose last character may be cut.
  private static func isText(_ start: Slice<UnsafeRawBufferPointer>, isCut: Bool) -> Bool {
    guard start.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || [0x09, 0x0a, 0x0d].contains($0) }) else { return false }
    return (0..<(isCut ? 4 : 1)).contains { String(validating: start.dropLast($0), as: UTF8.self) != nil }
  }
}
