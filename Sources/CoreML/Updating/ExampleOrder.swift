import CMLCTensor

/// The order of examples in an epoch, which follows from the seed and the epoch's number alone.
enum ExampleOrder {
  /// That of the data, or shuffled: sorted by a random number for each.
  static func numbers(_ count: Int, epoch: Int, shuffled: Bool, seed: Int) -> [Int] {
    guard shuffled else { return Array(0..<count) }
    var keys = [Float](repeating: 0, count: count)
    let own = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(epoch)
    mlct_random_uniform(own, 0, 1, &keys, 0, count)
    return (0..<count).sorted { (keys[$0], $0) < (keys[$1], $1) }
  }
}
