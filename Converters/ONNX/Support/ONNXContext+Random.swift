import MLCCore
import MLCGraph
import MLCOps

/// Numbers that stand for random ones: Philox 4x32-10 in operations on integers, which every target computes alike.
///
/// Element i of a tensor is made from the block with the counter (i mod 2³², ⌊i / 2³²⌋, 0, 0). The key's first word is
/// the bits of `seed`, the second 0, or the upper half of one that is an integer; without a seed both are a hash of the
/// names of the node and of its result. So a node gives the same numbers in every run and, in a loop, in every round.
/// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
extension ONNXContext {
  /// `float[*shape]` from 0 up to 1, which is not reached; `shape` is a list of int64. In float32 a number has 24
  /// bits, in float64 53.
  mutating func uniform(_ shape: ValueID, _ dtype: DType) throws(Diagnostic) -> ValueID {
    let words = try randomWords(shape)
    let flat = try fraction(words[0], words[1], wide: dtype == .float64, offset: 0)
    return try emit(Reshape(allowZero: true), flat, shape)
  }

  /// `float[*shape]`, normal with mean 0 and variance 1: `√(−2 ln u) · cos 2πv` with u above 0 up to 1 and v from 0 up
  /// to 1, in float32 or float64.
  mutating func normal(_ shape: ValueID, _ dtype: DType) throws(Diagnostic) -> ValueID {
    let (words, wide) = (try randomWords(shape), dtype == .float64)
    let u = try fraction(words[0], words[1], wide: wide, offset: 1)
    let v = try fraction(words[2], words[3], wide: wide, offset: 0)
    let radius = try emit(Sqrt(), try scaled(try emit(Log(), u), by: -2))
    let flat = try emit(Mul(), radius, try emit(Cos(), try scaled(v, by: 2 * Double.pi)))
    return try emit(Reshape(allowZero: true), flat, shape)
  }

  /// Tells the user that the node is in training mode, in which it does `what`.
  mutating func noteTraining(_ what: String) {
    notes.append("\(node.location): the model was exported for training; this node \(what)")
  }

  /// `(number + offset) / 2ⁿ` of the first n = 24 bits of `high`, or n = 53 of `high` and `low`.
  private mutating func fraction(_ high: ValueID, _ low: ValueID, wide: Bool, offset: Int) throws(Diagnostic) -> ValueID
  {
    var bits = try shifted(high, right: wide ? 0 : 8)
    if wide {
      bits = try emit(Mul(), high, word(1 << 21))
      bits = try emit(Add(), bits, try shifted(low, right: 11))
    }
    if offset != 0 { bits = try emit(Add(), bits, word(offset)) }
    return try scaled(try cast(bits, to: wide ? .float64 : .float32), by: wide ? 0x1p-53 : 0x1p-24)
  }

  /// The four words of the block of each element of a tensor of `shape`, as `uint64` below 2³².
  private mutating func randomWords(_ shape: ValueID) throws(Diagnostic) -> [ValueID] {
    let count = try emit(ReduceProd(axes: [0]), shape)
    let ends = [constant(.scalar(.int64, 0), "start"), constant(.scalar(.int64, 1), "step")]
    let places = try cast(try emit(Range1D(), count, ends[0], ends[1]), to: .uint64)
    let none = word(0)
    var block = [try emit(BitwiseAnd(), places, word(0xFFFF_FFFF)), try shifted(places, right: 32), none, none]
    var key = try randomKey()
    for _ in 0..<10 {
      let (first, second) = (try product(block[0], 0xD251_1F53), try product(block[2], 0xCD9E_8D57))
      block = [
        try emit(BitwiseXor(), try emit(BitwiseXor(), second.high, block[1]), word(Int(key.0))), second.low,
        try emit(BitwiseXor(), try emit(BitwiseXor(), first.high, block[3]), word(Int(key.1))), first.low,
      ]
      key = (key.0 &+ 0x9E37_79B9, key.1 &+ 0xBB67_AE85)
    }
    return block
  }

  /// The words of `x` times `factor`, which are below 2³².
  private mutating func product(_ x: ValueID, _ factor: Int) throws(Diagnostic) -> (high: ValueID, low: ValueID) {
    let whole = try emit(Mul(), x, word(factor))
    return (try shifted(whole, right: 32), try emit(BitwiseAnd(), whole, word(0xFFFF_FFFF)))
  }

  private mutating func shifted(_ x: ValueID, right count: Int) throws(Diagnostic) -> ValueID {
    count == 0 ? x : try emit(RightShift(), x, word(count))
  }

  private mutating func word(_ number: Int) -> ValueID { constant(.scalar(.uint64, number), "word") }

  private func randomKey() throws(Diagnostic) -> (UInt32, UInt32) {
    switch node.attributes["seed"] {
    case .int(let seed): return (UInt32(truncatingIfNeeded: seed), UInt32(truncatingIfNeeded: seed >> 32))
    case nil: break
    default: return (try node.float("seed", default: 0).bitPattern, 0)
    }
    // FNV-1a.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(origin.node ?? "") \(node.output(0) ?? "")".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return (UInt32(truncatingIfNeeded: hash), UInt32(truncatingIfNeeded: hash >> 32))
  }
}
