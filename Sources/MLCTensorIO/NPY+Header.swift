import MLCCore

extension NPY {
  /// Element types and NumPy's spelling of them in little-endian order.
  static let descriptions: [(dtype: DType, descr: String)] = [
    (.float16, "<f2"), (.float32, "<f4"), (.float64, "<f8"),
    (.int8, "|i1"), (.int16, "<i2"), (.int32, "<i4"), (.int64, "<i8"),
    (.uint8, "|u1"), (.uint16, "<u2"), (.uint32, "<u4"), (.uint64, "<u8"),
    (.bool, "|b1"),
  ]

  /// What elements of a type that NumPy has not are written as, a byte each: integers of fewer than eight bits as
  /// numbers, floats of at most eight bits as their codes, which is how `ml_dtypes` keeps them.
  static func standIn(_ tensor: Tensor) -> Tensor {
    if tensor.dtype.smallFloat != nil { return Tensor(.uint8, tensor.shape, codes: tensor.codes) }
    return tensor.dtype.isPacked ? tensor.converted(to: tensor.dtype.byteWide) : tensor
  }

  /// What stands before the elements.
  struct Header {
    var dtype: DType
    var isLittleEndian: Bool
    /// First axis fastest, Fortran's order.
    var isColumnMajor: Bool
    var shape: [Int]
    /// Scalars of Unicode in an element, each 32 bits, of a `string` array.
    var textLength: Int?
    /// Bytes before the first element.
    var length: Int

    static let maximumTextBytes = 1 << 16
    static let maximumRank = 64

    init(_ bytes: UnsafeRawBufferPointer) throws(Diagnostic) {
      guard bytes.starts(with: magic), bytes.count >= 10 else {
        throw Diagnostic("npy.header", "not a .npy file: it does not start with its magic number")
      }
      guard (1...3).contains(bytes[6]), bytes[7] == 0 else {
        throw Diagnostic("npy.header", "format version \(bytes[6]).\(bytes[7]) is unknown")
      }
      let wide = bytes[6] > 1
      let start = wide ? 12 : 10
      guard bytes.count >= start else { throw Diagnostic("npy.header", "the header is cut short") }
      let text =
        wide
        ? Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)))
        : Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt16.self)))
      guard text <= Header.maximumTextBytes, text <= bytes.count - start else {
        throw Diagnostic("npy.header", "a header of \(text) bytes is cut short or too long")
      }
      var literal = Literal(UnsafeRawBufferPointer(rebasing: bytes[start..<start + text]))
      let fields = try literal.header()
      (isColumnMajor, shape, length) = (fields.isColumnMajor, fields.shape, start + text)
      (dtype, isLittleEndian, textLength) = try Header.element(fields.descr)
    }

    /// Bytes of the elements; `nil` where that overflows.
    var byteCount: Int? {
      guard let count = shape.checkedProduct else { return nil }
      guard let textLength else { return dtype.byteCount(count) }
      return [count, textLength].checkedProduct.flatMap { DType.uint32.byteCount($0) }
    }

    /// `<f4`: byte order, kind, bytes an element.
    private static func element(
      _ descr: String
    ) throws(Diagnostic) -> (DType, isLittleEndian: Bool, textLength: Int?) {
      if descr.dropFirst().first == "O" || descr == "O" {
        throw Diagnostic(
          "npy.object",
          "the array holds pickled Python objects, which mlc does not read: save numbers, not objects",
          kind: .unsupported
        )
      }
      let order = descr.first
      // One byte of a type that NumPy does not know by itself: what 'ml_dtypes' saves.
      if ["V1", "f1"].contains(descr.dropFirst()) { return (.uint8, true, nil) }
      if descr.dropFirst().first == "U", let length = Int(descr.dropFirst(2)), length > 0 {
        return (.string, order != ">", length)
      }
      guard order == "<" || order == ">" || order == "|" || order == "=",
        let match = descriptions.first(where: { $0.descr.dropFirst() == descr.dropFirst() })
      else {
        throw Diagnostic(
          "npy.dtype",
          "element type '\(descr)' is neither a number nor text that mlc has",
          kind: .unsupported
        )
      }
      return (match.dtype, order != ">" || match.dtype.bitWidth == 8, nil)
    }
  }
}
