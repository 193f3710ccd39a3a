import Foundation
import MLCCore
import MLCPackage
import MLCTargetC

/// The packed weights of one target as they are made: written to a file at once, so that memory holds one at a time.
/// Equal tensors are stored once.
struct WeightFile: WeightSink {
  let path: String
  private let handle: FileHandle
  private(set) var byteCount = 0
  /// By digest.
  private var offsets: [[UInt8]: Int] = [:]
  private var hash = SHA256()

  init(path: String) throws(Diagnostic) {
    self.path = path
    guard FileManager.default.createFile(atPath: path, contents: nil), let handle = FileHandle(forWritingAtPath: path)
    else { throw Diagnostic("file.write", "cannot write '\(path)'", kind: .environment) }
    self.handle = handle
  }

  mutating func append(_ tensor: Tensor) throws(Diagnostic) -> Int {
    let key = tensor.withBytes { bytes in
      var hash = SHA256()
      hash.update(bytes)
      return hash.digest
    }
    if let known = offsets[key] { return known }
    let offset = (byteCount + 63) / 64 * 64
    var failure: (any Error)?
    let gap = offset - byteCount
    [UInt8](repeating: 0, count: gap).withUnsafeBytes { hash.update($0) }
    tensor.withBytes { hash.update($0) }
    tensor.withBytes { bytes in
      do {
        if gap > 0 { try handle.write(contentsOf: Data(count: gap)) }
        guard let base = bytes.baseAddress else { return }
        let data = Data(
          bytesNoCopy: UnsafeMutableRawPointer(mutating: base),
          count: bytes.count,
          deallocator: .none
        )
        try handle.write(contentsOf: data)
      } catch { failure = error }
    }
    if let failure {
      throw Diagnostic("file.write", "cannot write '\(path)': \(failure.localizedDescription)", kind: .environment)
    }
    byteCount = offset + tensor.byteCount
    offsets[key] = offset
    return offset
  }

  /// Ends the file with one vector of zeros, so that vector loads past the last weight stay inside the mapping.
  mutating func finish() throws(Diagnostic) {
    _ = try append(Tensor(.uint8, [64]) { (_: UnsafeMutableBufferPointer<UInt8>) in })
    do { try handle.close() } catch {
      throw Diagnostic("file.write", "cannot write '\(path)': \(error.localizedDescription)", kind: .environment)
    }
  }

  /// SHA-256 of all that was written, in hexadecimal digits.
  var digest: String { hash.hexDigest }
}
