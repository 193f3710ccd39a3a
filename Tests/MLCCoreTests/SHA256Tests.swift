import CMLCNumerics
import Foundation
import MLCCore
import TestSupport
import Testing

@Suite struct SHA256Tests {
  private func digest(_ text: String) -> String { Array(text.utf8).withUnsafeBytes { SHA256.hexDigest($0) } }

  @Test func givesPublishedDigests() {
    #expect(digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    )
    #expect(
      digest(String(repeating: "a", count: 1_000_000))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    )
  }

  /// The processor's instructions and plain C fold any number of blocks into any state alike.
  @Test func isTheSameWithAndWithoutInstructions() {
    #if arch(x86_64)
      let flags = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
      #expect((mlc_sha256_is_accelerated() == 1) == flags.contains(" sha_ni"))
    #endif
    var numbers = SeededNumbers(seed: 1)
    for blocks in [0, 1, 2, 3, 7, 64, 1000] {
      let bytes = (0..<blocks * 64 + 1).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      let start = (0..<8).map { _ in UInt32.random(in: 0...UInt32.max, using: &numbers) }
      for offset in 0...1 {
        var (fast, plain) = (start, start)
        bytes.withUnsafeBufferPointer { buffer in
          mlc_sha256(&fast, buffer.baseAddress! + offset, blocks)
          mlc_sha256_plain(&plain, buffer.baseAddress! + offset, blocks)
        }
        #expect(fast == plain && (blocks == 0) == (fast == start), "\(blocks) blocks from \(offset)")
      }
    }
  }

  @Test func readsHexadecimalDigits() {
    let text = digest("abc")
    #expect(text.digestBytes?.map { String($0, radix: 16) }.prefix(3) == ["ba", "78", "16"])
    for wrong in ["", String(text.dropLast()), text + "0", text.uppercased(), "g" + text.dropFirst()] {
      #expect(wrong.digestBytes == nil)
    }
  }

  @Test func doesNotMindHowBytesArrive() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for length in [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1000] {
      let whole = bytes.prefix(length).withUnsafeBytes { SHA256.hexDigest($0) }
      for step in [1, 13, 63, 64, 65] {
        var hash = SHA256()
        for start in stride(from: 0, to: length, by: step) {
          bytes[start..<min(length, start + step)].withUnsafeBytes { hash.update($0) }
        }
        #expect(hash.hexDigest == whole, "\(length) bytes by \(step)")
      }
    }
  }
}
