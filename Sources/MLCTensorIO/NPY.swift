import MLCCore

/// NumPy's array file: a magic number, a header that is a Python dictionary literal, raw elements.
/// Source: NumPy's format description (`numpy.lib.format`), versions 1.0, 2.0 and 3.0.
package enum NPY {
  static let magic: [UInt8] = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]

  /// The tensor of a `.npy` file. Throws `file.*` and what `decode` throws.
  package static func read(_ path: String) throws(Diagnostic) -> Tensor {
    let file = try MappedFile(path: path)
    return try locating(Location(file: path)) { () throws(Diagnostic) in try decode(file.storage) }
  }

  /// The tensor in `storage[range]`, all of `storage` when no range is given.
  ///
  /// Floats of 16, 32 and 64 bits, integers of 8 to 64 bits and bool, of either byte order and either memory order;
  /// little-endian row-major elements stay a view. Single bytes of another type are `uint8`, codes. Bytes of a bool
  /// other than 0 and 1 become 1. Texts (`U`) end before the zeros that fill them up.
  /// Throws `npy.header` (malformed), `npy.object` (pickled Python objects), `npy.dtype` (complex, bytes, records),
  /// `npy.text` (no Unicode), `npy.shape` (too many or too large extents) and `npy.length` (fewer or more element bytes
  /// than the shape needs).
  package static func decode(_ storage: Storage, _ range: Range<Int>? = nil) throws(Diagnostic) -> Tensor {
    defer { withExtendedLifetime(storage) {} }
    let range = range ?? 0..<storage.bytes.count
    precondition(range.lowerBound >= 0 && range.upperBound <= storage.bytes.count)
    let header = try Header(UnsafeRawBufferPointer(rebasing: storage.bytes[range]))
    guard let length = header.byteCount, length <= maximumTensorBytes else {
      throw Diagnostic("npy.shape", "shape \(header.shape) is too large")
    }
    let present = range.count - header.length
    guard present == length else {
      throw Diagnostic("npy.length", "shape \(header.shape) needs \(length) bytes of elements, the file has \(present)")
    }
    let start = range.lowerBound + header.length
    let elements = UnsafeRawBufferPointer(rebasing: storage.bytes[start..<start + length])
    if let textLength = header.textLength { return try texts(elements, of: textLength, header) }
    let asStored = header.isLittleEndian && (!header.isColumnMajor || header.shape.count < 2)
    let isBool = header.dtype == .bool
    if asStored && !(isBool && elements.contains { $0 > 1 }) {
      return Tensor(header.dtype, header.shape, storage: storage, range: start..<start + length)!
    }
    return reordered(elements, header)
  }

  /// The bytes of a `.npy` file, version 1.0, elements aligned to 64 bytes.
  ///
  /// Integers of fewer than eight bits become `i1` or `u1`; floats of at most eight bits become their codes, `u1`;
  /// texts become `U`. Throws `npy.dtype` for element types that NumPy has not, as bfloat16 is.
  package static func encode(_ tensor: Tensor) throws(Diagnostic) -> Storage {
    if tensor.dtype == .string { return encodeTexts(tensor) }
    let tensor = standIn(tensor)
    guard let descr = descriptions.first(where: { $0.dtype == tensor.dtype })?.descr else {
      throw Diagnostic("npy.dtype", "NumPy has no element type \(tensor.dtype.rawValue)", kind: .unsupported)
    }
    let head = headerBytes(descr, tensor.shape)
    return Storage(byteCount: head.count + tensor.byteCount) { out in
      out.copyBytes(from: head)
      tensor.withBytes { UnsafeMutableRawBufferPointer(rebasing: out[head.count...]).copyMemory(from: $0) }
    }
  }

  /// Writes one tensor; the file appears whole or not at all. Throws `npy.dtype` and `file.write`.
  package static func write(_ tensor: Tensor, to path: String) throws(Diagnostic) {
    let storage = try locating(Location(file: path)) { () throws(Diagnostic) in try encode(tensor) }
    try AtomicFile.write([storage.bytes], to: path)
    withExtendedLifetime(storage) {}
  }

  static func headerBytes(_ descr: String, _ shape: [Int]) -> [UInt8] {
    let extents = shape.count == 1 ? "\(shape[0])," : shape.map(String.init).joined(separator: ", ")
    var text = Array("{'descr': '\(descr)', 'fortran_order': False, 'shape': (\(extents)), }".utf8)
    let unpadded = magic.count + 4 + text.count + 1
    text += [UInt8](repeating: UInt8(ascii: " "), count: (64 - unpadded % 64) % 64) + [UInt8(ascii: "\n")]
    return magic + [1, 0, UInt8(text.count & 0xff), UInt8(text.count >> 8)] + text
  }
}
