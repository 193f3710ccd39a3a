import MLCCore
import MLCGraph

/// Numbers that stand for random ones: Philox 4x32-10 in operations on integers, which every target computes alike.
///
/// Element i of a tensor is made from the block with the counter (i mod 2³², ⌊i / 2³²⌋, 0, 0). One key gives the same
/// numbers in every run and, in a loop, in every round.
/// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
extension OperationBuilder {
  /// `float[*shape]` from 0 up to 1, which is not reached; `shape` is a list of int64. In float32 a number has 24
  /// bits, in float64 53.
  package mutating func uniform(_ shape: ValueID, _ dtype: DType, key: RandomKey) throws(Diagnostic) -> ValueID {
    let words = try randomWords(shape, key)
    let flat = try fraction(words[0], words[1], wide: dtype == .float64, offset: 0)
    return try apply(Reshape(allowZero: true), flat, shape)
  }

  /// `float[*shape]`, normal with mean 0 and variance 1: `√(−2 ln u) · cos 2πv` with u above 0 up to 1 and v from 0 up
  /// to 1, in float32 or float64.
  package mutating func normal(_ shape: ValueID, _ dtype: DType, key: RandomKey) throws(Diagnostic) -> ValueID {
    let (words, wide) = (try randomWords(shape, key), dtype == .float64)
    let u = try fraction(words[0], words[1], wide: wide, offset: 1)
    let v = try fraction(words[2], words[3], wide: wide, offset: 0)
    let radius = try apply(Sqrt(), try scaled(try apply(Log(), u), by: -2))
    let flat = try apply(Mul(), radius, try apply(Cos(), try scaled(v, by: 2 * Double.pi)))
    return try apply(Reshape(allowZero: true), flat, shape)
  }

  /// `(number + offset) / 2ⁿ` of the first n = 24 bits of `high`, or n = 53 of `high` and `low`.
  private mutating func fraction(_ high: ValueID, _ low: ValueID, wide: Bool, offset: Int) throws(Diagnostic) -> ValueID
  {
    var bits = try shifted(high, right: wide ? 0 : 8)
    if wide {
      bits = try apply(Mul(), high, word(1 << 21))
      bits = try apply(Add(), bits, try shifted(low, right: 11))
    }
    if offset != 0 { bits = try apply(Add(), bits, word(offset)) }
    return try scaled(try converted(bits, to: wide ? .float64 : .float32), by: wide ? 0x1p-53 : 0x1p-24)
  }

  /// The four words of the block of each element of a tensor of `shape`, as `uint64` below 2³².
  private mutating func randomWords(_ shape: ValueID, _ start: RandomKey) throws(Diagnostic) -> [ValueID] {
    let count = try apply(ReduceProd(axes: [0]), shape)
    let ends = [constant(.scalar(.int64, 0), "start"), constant(.scalar(.int64, 1), "step")]
    let places = try converted(try apply(Range1D(), count, ends[0], ends[1]), to: .uint64)
    let none = word(0)
    var block = [try apply(BitwiseAnd(), places, word(0xFFFF_FFFF)), try shifted(places, right: 32), none, none]
    var key = start.words
    for _ in 0..<10 {
      let (first, second) = (try product(block[0], 0xD251_1F53), try product(block[2], 0xCD9E_8D57))
      block = [
        try apply(BitwiseXor(), try apply(BitwiseXor(), second.high, block[1]), word(Int(key.0))), second.low,
        try apply(BitwiseXor(), try apply(BitwiseXor(), first.high, block[3]), word(Int(key.1))), first.low,
      ]
      key = (key.0 &+ 0x9E37_79B9, key.1 &+ 0xBB67_AE85)
    }
    return block
  }

  /// The words of `x` times `factor`, which are below 2³².
  private mutating func product(_ x: ValueID, _ factor: Int) throws(Diagnostic) -> (high: ValueID, low: ValueID) {
    let whole = try apply(Mul(), x, word(factor))
    return (try shifted(whole, right: 32), try apply(BitwiseAnd(), whole, word(0xFFFF_FFFF)))
  }

  private mutating func shifted(_ x: ValueID, right count: Int) throws(Diagnostic) -> ValueID {
    count == 0 ? x : try apply(RightShift(), x, word(count))
  }

  private mutating func word(_ number: Int) -> ValueID { constant(.scalar(.uint64, number), "word") }
}

/// The two words that random numbers follow from.
package struct RandomKey: Sendable {
  let words: (UInt32, UInt32)

  package init(_ first: UInt32, _ second: UInt32) { words = (first, second) }

  package init(seed: Int) {
    self.init(UInt32(truncatingIfNeeded: seed), UInt32(truncatingIfNeeded: seed >> 32))
  }

  /// A hash of a name, FNV-1a.
  package init(name: String) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    self.init(UInt32(truncatingIfNeeded: hash), UInt32(truncatingIfNeeded: hash >> 32))
  }
}
