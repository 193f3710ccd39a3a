/// Numbers that follow from a seed (SplitMix64).
package struct Random: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }

  /// 0 … `count` − 1.
  mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  /// Numbers at which readers go wrong, and small ones.
  mutating func integer() -> Int {
    let edges = [
      0, 1, -1, 2, -2, 63, 64, 65, 127, 128, 255, 256, 1 << 15, 1 << 16, Int(Int32.max), Int(Int32.min),
      Int(UInt32.max), 1 << 32, 1 << 40, 1 << 60, 1 << 62, Int.max, Int.max - 1, Int.min, Int.min + 1,
    ]
    return below(2) == 0 ? edges[below(edges.count)] : below(20) - 4
  }
}
