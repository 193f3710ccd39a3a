import MLCCore
import MLCKernels
import MLCPackage

/// The packed weights of one target as they are made: written to a file at once, so that memory holds one at a time.
/// Equal tensors are stored once.
struct WeightFile: WeightSink, ~Copyable {
  private var file: OpenFile
  private(set) var byteCount = 0
  /// By digest.
  private var offsets: [[UInt8]: Int] = [:]
  private var hash = SHA256()

  /// Throws `file.write`.
  init(path: String) throws(Diagnostic) { file = try OpenFile(creating: path) }

  var path: String { file.path }

  /// Throws `file.write`.
  mutating func append(_ tensor: Tensor) throws(Diagnostic) -> Int {
    let key = tensor.withBytes { bytes in
      var hash = SHA256()
      hash.update(bytes)
      return hash.digest
    }
    if let known = offsets[key] { return known }
    let offset = (byteCount + 63) / 64 * 64
    let gap = Storage(byteCount: offset - byteCount) { _ in }
    try write(gap.bytes)
    try tensor.withBytes { bytes throws(Diagnostic) in try write(bytes) }
    byteCount = offset + tensor.byteCount
    offsets[key] = offset
    return offset
  }

  private mutating func write(_ bytes: UnsafeRawBufferPointer) throws(Diagnostic) {
    hash.update(bytes)
    try file.write(bytes)
  }

  /// Ends the file with one vector of zeros, so that vector loads past the last weight stay inside the mapping.
  mutating func finish() throws(Diagnostic) {
    _ = try append(Tensor(.uint8, [64]) { (_: UnsafeMutableBufferPointer<UInt8>) in })
    try file.close()
  }

  /// SHA-256 of all that was written, in hexadecimal digits.
  var digest: String { hash.hexDigest }
}
