import Foundation
import MLCCore

/// Writes a weights file constant by constant, straight from where the constants lie.
struct BlobWriter: ~Copyable {
  private let path: String
  /// What values of the model call the file.
  let reference: String
  /// Constants that are there, by length and a sample of their bytes: functions share them.
  private var written: [Int: [(tensor: Tensor, offset: UInt64)]] = [:]
  private var file: OpenFile?
  private var count: UInt32 = 0
  private(set) var size = 0
  /// Of every byte after the header, in order.
  private(set) var digest = SHA256()

  /// The file is made when the first constant comes.
  init(_ name: String, in folder: String) {
    (path, reference) = ("\(folder)/\(name)", "@model_path/weights/\(name)")
  }

  /// Appends the elements, unless equal ones are there, and answers the offset of their record. Throws `file.write`.
  mutating func append(_ tensor: Tensor) throws(Diagnostic) -> UInt64 {
    let sample = tensor.sample
    if let known = written[sample]?.first(where: { $0.tensor.hasBytes(of: tensor) }) { return known.offset }
    let offset = try appendNew(tensor)
    written[sample, default: []].append((tensor, offset))
    return offset
  }

  private mutating func appendNew(_ tensor: Tensor) throws(Diagnostic) -> UInt64 {
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

extension Tensor {
  /// Of the element type, the number of elements and some of the bytes.
  fileprivate var sample: Int {
    var hasher = Hasher()
    hasher.combine(dtype)
    hasher.combine(count)
    withBytes { bytes in
      let stride = max(1, bytes.count / 64)
      for place in Swift.stride(from: 0, to: bytes.count, by: stride) { hasher.combine(bytes[place]) }
    }
    return hasher.finalize()
  }

  fileprivate func hasBytes(of other: Tensor) -> Bool {
    guard dtype == other.dtype, count == other.count else { return false }
    return withBytes { own in
      other.withBytes {
        own.count == $0.count && (own.isEmpty || memcmp(own.baseAddress!, $0.baseAddress!, own.count) == 0)
      }
    }
  }
}
