import MLCCore

/// A mapped weights file. Every number in it is checked before use.
struct BlobReader: Sendable {
  private let file: MappedFile

  /// Throws `coreml.weights` unless the file begins with the header of version 2, and what mapping throws.
  init(_ path: String) throws(Diagnostic) {
    file = try MappedFile(path: path)
    guard file.bytes.count >= BlobFile.alignment, Self.load(UInt32.self, file.bytes, 4) == BlobFile.version else {
      throw Diagnostic("coreml.weights", "the weights file is not a blob file of version 2", at: .init(file: path))
    }
  }

  /// The constant whose record is at `offset`, as a view. Throws `coreml.weights` when the record lies outside the
  /// file, or does not describe elements of this type and count.
  func tensor(_ dtype: DType, _ shape: [Int], at offset: UInt64) throws(Diagnostic) -> Tensor {
    let size = file.bytes.count
    guard let record = Int(exactly: offset), record % 4 == 0, record <= size - BlobFile.alignment,
      Self.load(UInt32.self, file.bytes, record) == BlobFile.sentinel
    else { throw malformed("there is no constant at offset \(offset)") }
    let code = Self.load(UInt32.self, file.bytes, record + 4)
    guard code == BlobFile.code(dtype) else {
      throw malformed("the constant at offset \(offset) has element type \(code), not that of \(dtype.rawValue)")
    }
    guard let length = Int(exactly: Self.load(UInt64.self, file.bytes, record + 8)),
      let start = Int(exactly: Self.load(UInt64.self, file.bytes, record + 16)), length <= size, start <= size - length
    else { throw malformed("the constant at offset \(offset) lies outside the file") }
    guard let tensor = Tensor(dtype, shape, storage: file.storage, range: start..<start + length) else {
      throw malformed("the constant at offset \(offset) has \(length) bytes, which is not \(TensorType(dtype, shape))")
    }
    return tensor
  }

  private func malformed(_ message: String) -> Diagnostic {
    Diagnostic("coreml.weights", message, at: .init(file: file.path))
  }

  private static func load<T: FixedWidthInteger & BitwiseCopyable>(
    _ type: T.Type,
    _ bytes: UnsafeRawBufferPointer,
    _ offset: Int
  ) -> T {
    T(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
  }
}
