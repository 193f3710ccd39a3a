/// A stream of random bits that follows from its seed alone, the same on every machine.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// A stream of its own for each `name`: adding an input to a model leaves the others' data as they were.
  package init(seed: UInt64, name: String) {
    state = name.utf8.reduce(seed ^ 0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }

  /// SplitMix64: a Weyl sequence, scrambled by two multiplications.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }

  /// Uniform in [0, 1).
  package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Near enough to the standard normal distribution: the sum of twelve uniform numbers, less 6; always within ±6.
  package mutating func normal() -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + unit() }
  }
}
