import Foundation
import MLCCore
import MLCTargetC

/// The packed weights of one target as they are made: written to a file at once, so that memory holds one at a time.
/// Equal tensors are stored once.
struct WeightFile: WeightSink {
  let path: String
  private let handle: FileHandle
  private(set) var byteCount = 0
  private var offsets: [Key: Int] = [:]

  /// What tells stored tensors apart: their bytes' digest and length.
  private struct Key: Hashable {
    var first, second: UInt64
    var count: Int
  }

  init(path: String) throws(Diagnostic) {
    self.path = path
    guard FileManager.default.createFile(atPath: path, contents: nil), let handle = FileHandle(forWritingAtPath: path)
    else { throw Diagnostic("file.write", "cannot write '\(path)'", kind: .environment) }
    self.handle = handle
  }

  mutating func append(_ tensor: Tensor) throws(Diagnostic) -> Int {
    let key = tensor.withBytes { WeightFile.key($0) }
    if let known = offsets[key] { return known }
    let offset = (byteCount + 63) / 64 * 64
    var failure: (any Error)?
    let gap = offset - byteCount
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

  /// Two independent 64-bit multiplicative hashes over the words of `bytes`.
  private static func key(_ bytes: UnsafeRawBufferPointer) -> Key {
    var (a, b): (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F)
    var index = 0
    while index + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      a = (a ^ word) &* 0x1000_0000_01B3_0D6B
      a ^= a >> 29
      b = (b &+ word) &* 0xFF51_AFD7_ED55_8CCD
      b ^= b >> 32
      index += 8
    }
    while index < bytes.count {
      a = (a ^ UInt64(bytes[index])) &* 0x1000_0000_01B3_0D6B
      b = (b &+ UInt64(bytes[index])) &* 0xFF51_AFD7_ED55_8CCD
      index += 1
    }
    return Key(first: a, second: b, count: bytes.count)
  }
}
