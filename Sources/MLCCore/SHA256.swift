import CMLCNumerics

/// SHA-256 (FIPS 180-4) of bytes that come in pieces.
package struct SHA256: Sendable {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  private var pending: [UInt8] = []
  private var length: UInt64 = 0

  package init() {}

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    length &+= UInt64(bytes.count)
    var rest = bytes[...]
    if !pending.isEmpty {
      let head = rest.prefix(64 - pending.count)
      pending.append(contentsOf: head)
      rest = rest.dropFirst(head.count)
      guard pending.count == 64 else { return }
      pending.withUnsafeBytes { SHA256.fold($0, into: &state) }
      pending.removeAll(keepingCapacity: true)
    }
    let whole = rest.count & ~63
    if whole > 0 { SHA256.fold(UnsafeRawBufferPointer(rebasing: rest.prefix(whole)), into: &state) }
    pending.append(contentsOf: rest.dropFirst(whole))
  }

  package mutating func update(_ text: String) {
    var text = text
    text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
  }

  /// The digest of everything so far, 32 bytes.
  package var digest: [UInt8] {
    var copy = self
    var tail: [UInt8] = [0x80]
    tail += [UInt8](repeating: 0, count: (119 - pending.count) % 64)
    tail += (0..<8).map { UInt8(truncatingIfNeeded: (length &* 8) >> UInt64(56 - 8 * $0)) }
    tail.withUnsafeBytes { copy.update($0) }
    return copy.state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
  }

  /// The digest of everything so far, as 64 hexadecimal digits.
  package var hexDigest: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  package static func hexDigest(_ bytes: UnsafeRawBufferPointer) -> String {
    var hash = SHA256()
    hash.update(bytes)
    return hash.hexDigest
  }

  package static func hexDigest(_ text: String) -> String {
    var hash = SHA256()
    hash.update(text)
    return hash.hexDigest
  }

  /// Folds a whole number of 64-byte blocks into `state`.
  private static func fold(_ blocks: UnsafeRawBufferPointer, into state: inout [UInt32]) {
    mlc_sha256(&state, blocks.bindMemory(to: UInt8.self).baseAddress!, blocks.count / 64)
  }
}

extension String {
  /// The bytes that 64 hexadecimal digits of a digest spell; `nil` for any other text.
  package var digestBytes: [UInt8]? {
    let digits = utf8.map { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
      default: nil
      }
    }
    guard digits.count == 64, digits.allSatisfy({ $0 != nil }) else { return nil }
    return stride(from: 0, to: 64, by: 2).map { digits[$0]! << 4 | digits[$0 + 1]! }
  }
}
