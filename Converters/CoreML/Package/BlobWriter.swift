import MLCCore

/// Writes a weights file constant by constant, straight from where the constants lie.
struct BlobWriter: ~Copyable {
  private let path: String
  private var file: OpenFile?
  private var count: UInt32 = 0
  private(set) var size = 0
  /// Of every byte after the header, in order.
  private(set) var digest = SHA256()

  /// The file is made when the first constant comes.
  init(_ path: String) { self.path = path }

  /// Appends the elements and answers the offset of their record. Throws `file.write`.
  mutating func append(_ tensor: Tensor) throws(Diagnostic) -> UInt64 {
    guard let code = BlobFile.code(tensor.dtype) else {
      preconditionFailure("\(tensor.dtype) has no place in a blob file")
    }
    if file == nil { try begin() }
    let record = size
    let padding = (8 - tensor.count * tensor.dtype.bitWidth % 8) % 8
    var header = [UInt8](repeating: 0, count: BlobFile.alignment)
    header.store(BlobFile.sentinel, at: 0)
    header.store(code, at: 4)
    header.store(UInt64(tensor.byteCount), at: 8)
    header.store(UInt64(record + BlobFile.alignment), at: 16)
    header.store(UInt64(padding), at: 24)
    try write(header)
    try tensor.withBytes { (bytes) throws(Diagnostic) in try write(bytes) }
    let tail = (BlobFile.alignment - size % BlobFile.alignment) % BlobFile.alignment
    try write([UInt8](repeating: 0, count: tail))
    count += 1
    return UInt64(record)
  }

  /// Completes the header. Nothing is written when there were no constants.
  mutating func finish() throws(Diagnostic) {
    guard file != nil else { return }
    try file?.rewind()
    var header = [UInt8](repeating: 0, count: BlobFile.alignment)
    header.store(count, at: 0)
    header.store(BlobFile.version, at: 4)
    try write(header)
    size -= BlobFile.alignment
    try file?.close()
    file = nil
  }

  private mutating func begin() throws(Diagnostic) {
    file = try OpenFile(creating: path)
    try write([UInt8](repeating: 0, count: BlobFile.alignment))
  }

  private mutating func write(_ bytes: [UInt8]) throws(Diagnostic) {
    let storage = Storage(byteCount: bytes.count) { $0.copyBytes(from: bytes) }
    defer { withExtendedLifetime(storage) {} }
    try write(storage.bytes)
  }

  private mutating func write(_ bytes: UnsafeRawBufferPointer) throws(Diagnostic) {
    try file?.write(bytes)
    if size > 0 { digest.update(bytes) }
    size += bytes.count
  }
}

extension [UInt8] {
  /// Little-endian.
  fileprivate mutating func store<T: FixedWidthInteger>(_ value: T, at offset: Int) {
    for index in 0..<MemoryLayout<T>.size { self[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
  }
}
