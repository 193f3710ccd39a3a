/// After FNV-1a, in 128 bits, eight bytes at a time: tells contents apart, proves nothing about who wrote them.
struct ContentDigest {
  private var state: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    let words = bytes.count / 8
    for word in 0..<words { mix(UInt128(bytes.loadUnaligned(fromByteOffset: 8 * word, as: UInt64.self).littleEndian)) }
    for byte in bytes[(8 * words)...] { mix(UInt128(byte)) }
  }
  private mutating func mix(_ value: UInt128) {
    state = (state ^ value) &* 0x0000_0000_0100_0000_0000_0000_0000_013b
    state ^= state >> 61
  }
  mutating func update(_ text: String) {
    var text = text
    text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
  }

  /// 32 hexadecimal digits.
  var hex: String {
    let text = String(state, radix: 16)
    return String(repeating: "0", count: 32 - text.count) + text
  }

  /// The digest in the shape of a UUID, upper case.
  var uuid: String {
    let digits = Array(hex.uppercased())
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
  }
}
