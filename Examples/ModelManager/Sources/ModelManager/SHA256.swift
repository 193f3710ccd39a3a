/// The digest of FIPS 180-4, for names of files that depend on their content.
struct SHA256 {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  private var block: [UInt8] = []
  private var count: UInt64 = 0

  mutating func update(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      block.append(byte)
      count += 1
      if block.count == 64 { compress() }
    }
  }

  /// In hexadecimal.
  consuming func digest() -> String {
    let bits = count * 8
    update([0x80])
    while block.count != 56 { update([0]) }
    update((0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) })
    return state.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  private mutating func compress() {
    var words = (0..<16).map { at in (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(block[4 * at + $1]) } }
    block.removeAll(keepingCapacity: true)
    for at in 16..<64 {
      let (a, b) = (words[at - 15], words[at - 2])
      let first = Self.turn(a, 7) ^ Self.turn(a, 18) ^ a >> 3
      let second = Self.turn(b, 17) ^ Self.turn(b, 19) ^ b >> 10
      words.append(words[at - 16] &+ first &+ words[at - 7] &+ second)
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for at in 0..<64 {
      let mixed = Self.turn(e, 6) ^ Self.turn(e, 11) ^ Self.turn(e, 25)
      let first = h &+ mixed &+ ((e & f) ^ (~e & g)) &+ Self.constants[at] &+ words[at]
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let second = (Self.turn(a, 2) ^ Self.turn(a, 13) ^ Self.turn(a, 22)) &+ majority
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    for (at, value) in [a, b, c, d, e, f, g, h].enumerated() { state[at] &+= value }
  }

  private static func turn(_ word: UInt32, _ bits: UInt32) -> UInt32 { word >> bits | word << (32 - bits) }

  /// The first bits of the fractions of the first 64 primes' cube roots.
  private static let constants: [UInt32] = {
    let primes = (2..<312).filter { n in !(2..<n).contains { n % $0 == 0 } }
    return primes.map { prime in
      // The largest root with root³ ≤ prime · 2⁹⁶, of which the fraction has 32 bits.
      var (low, high): (UInt64, UInt64) = (0, 1 << 36)
      while high - low > 1 {
        let middle = (low + high) / 2
        let square = middle.multipliedFullWidth(by: middle)
        let cube = UInt128(square.high) << 64 | UInt128(square.low)
        let (product, overflow) = cube.multipliedReportingOverflow(by: UInt128(middle))
        if overflow || product > UInt128(prime) << 96 { high = middle } else { low = middle }
      }
      return UInt32(truncatingIfNeeded: low)
    }
  }()
}
