import MLCCore
import MLCKernels
import MLCPackage

/// Packed weights as they are made: written to a file at once, so that memory holds one at a time. Equal tensors are
/// stored once.
struct WeightFile: WeightSink, ~Copyable {
  /// What a file is once it is whole.
  struct Finished {
    let path: String, digest: String, byteCount: Int
  }

  private var file: OpenFile
  private(set) var byteCount = 0
  /// Where tensors lie and by how much the file became longer with them, by digest.
  private var places: [[UInt8]: (offset: Int, growth: Int)] = [:]
  private var hash = SHA256()
  /// The offsets of the tensors that were appended since `beginUser`, and by how much the file is longer with those.
  private var used: Set<Int> = []
  private(set) var usedBytes = 0

  /// Throws `file.write`.
  init(path: String) throws(Diagnostic) { file = try OpenFile(creating: path) }

  /// Begins to count anew what is used.
  mutating func beginUser() { (used, usedBytes) = ([], 0) }

  /// Throws `file.write`.
  mutating func append(_ tensor: Tensor) throws(Diagnostic) -> Int {
    let key = tensor.withBytes { bytes in
      var hash = SHA256()
      hash.update(bytes)
      return hash.digest
    }
    if let known = places[key] {
      count(known)
      return known.offset
    }
    let offset = (byteCount + 63) / 64 * 64
    try writeZeros(offset - byteCount)
    try tensor.withBytes { bytes throws(Diagnostic) in try write(bytes) }
    let place = (offset, offset + tensor.byteCount - byteCount)
    byteCount = offset + tensor.byteCount
    places[key] = place
    count(place)
    return offset
  }

  private mutating func count(_ place: (offset: Int, growth: Int)) {
    if used.insert(place.offset).inserted { usedBytes += place.growth }
  }

  private mutating func writeZeros(_ count: Int) throws(Diagnostic) {
    try Tensor(.uint8, [count]) { (_: UnsafeMutableBufferPointer<UInt8>) in }
      .withBytes { bytes throws(Diagnostic) in try write(bytes) }
  }

  private mutating func write(_ bytes: UnsafeRawBufferPointer) throws(Diagnostic) {
    hash.update(bytes)
    try file.write(bytes)
  }

  /// Ends the file with one vector of zeros, so that vector loads past the last weight stay inside the mapping. Nothing
  /// is appended afterwards.
  mutating func finish() throws(Diagnostic) -> Finished {
    let end = (byteCount + 63) / 64 * 64 + 64
    try writeZeros(end - byteCount)
    byteCount = end
    try file.close()
    return Finished(path: file.path, digest: hash.hexDigest, byteCount: byteCount)
  }
}
