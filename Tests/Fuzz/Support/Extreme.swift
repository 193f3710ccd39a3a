/// Numbers at the ends of what types hold, at which sums and products go beyond them.
enum Extreme {
  static let integers: [Int64] = [
    0, 1, -1, 1 << 31 - 1, 1 << 31, -1 << 31, 1 << 32, 1 << 62, .max, .min,
  ]

  static let numbers: [Double] = [0, -1, .nan, .infinity, -.infinity, 3e38, 1e-40, 1e300]

  static func bytes<T>(_ value: T) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

  /// `bytes` with its first or its last number an extreme: of 8 bytes where it has such, of 4.
  static func words(of bytes: [UInt8]) -> [[UInt8]] {
    var words = numbers.map { Self.bytes(Float($0)) } + [Self.bytes(Int32.max), Self.bytes(Int32.min)]
    if bytes.count % 8 == 0 { words += integers.map { Self.bytes($0) } + numbers.map { Self.bytes($0) } }
    return words.flatMap { word in
      Set([0, bytes.count - word.count]).sorted().map { start in
        var changed = bytes
        changed.replaceSubrange(start..<start + word.count, with: word)
        return changed
      }
    }
  }
}
