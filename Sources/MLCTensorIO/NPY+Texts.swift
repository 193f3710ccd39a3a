import MLCCore

extension NPY {
  /// The texts of an array of kind `U`: elements of `length` scalars, zeros behind the last one that counts. Throws
  /// `npy.text`.
  static func texts(
    _ elements: UnsafeRawBufferPointer,
    of length: Int,
    _ header: Header
  ) throws(Diagnostic) -> Tensor {
    var texts = [String](repeating: "", count: header.shape.reduce(1, *))
    var invalid: UInt32?
    forEachSource(header) { target, source in
      var scalars = (source * length..<(source + 1) * length).map { place -> UInt32 in
        let word = elements.loadUnaligned(fromByteOffset: place * 4, as: UInt32.self)
        return header.isLittleEndian ? UInt32(littleEndian: word) : UInt32(bigEndian: word)
      }
      while scalars.last == 0 { scalars.removeLast() }
      var view = String.UnicodeScalarView()
      for scalar in scalars {
        if let known = Unicode.Scalar(scalar) { view.append(known) } else { invalid = scalar }
      }
      texts[target] = String(view)
    }
    if let invalid { throw Diagnostic("npy.text", "\(invalid) is no scalar of Unicode") }
    return Tensor(header.shape, strings: texts)
  }

  /// An array of kind `U`, as wide as the longest text.
  static func encodeTexts(_ tensor: Tensor) -> Storage {
    let texts = tensor.strings.map { $0.unicodeScalars.map { $0.value } }
    let length = max(1, texts.reduce(0) { max($0, $1.count) })
    let head = headerBytes("<U\(length)", tensor.shape)
    return Storage(byteCount: head.count + 4 * length * texts.count) { out in
      out.copyBytes(from: head)
      for (index, text) in texts.enumerated() {
        for (place, scalar) in text.enumerated() {
          let offset = head.count + 4 * (index * length + place)
          out.storeBytes(of: scalar.littleEndian, toByteOffset: offset, as: UInt32.self)
        }
      }
    }
  }
}
