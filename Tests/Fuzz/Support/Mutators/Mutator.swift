/// Makes another input out of one, keeping the structure that a reader asks for before it looks further.
package protocol Mutator: Sendable {
  /// `nil` when the input does not have the structure.
  func mutated(_ bytes: [UInt8], _ random: inout Random) -> [UInt8]?

  /// Calls `visit` with `bytes` for each number in it and each `Extreme` that it may be; not at all when the input does
  /// not have the structure, or no numbers that can be told from others.
  func extremes(of bytes: [UInt8], _ visit: ([UInt8]) -> Void)
}

extension Mutator {
  package func extremes(of bytes: [UInt8], _ visit: ([UInt8]) -> Void) {}
}

/// libFuzzer's own mutation of `count` bytes at `start`, where `limit` have room; answers their new number.
@_silgen_name("LLVMFuzzerMutate")
func mutateBytes(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ limit: Int) -> Int

/// libFuzzer's own mutation; grows by 64 bytes at most.
func mutatedBytes(_ bytes: [UInt8]) -> [UInt8] {
  var result = bytes + [UInt8](repeating: 0, count: 64)
  let count = result.count
  let left = result.withUnsafeMutableBufferPointer { mutateBytes($0.baseAddress!, bytes.count, count) }
  return Array(result[..<left])
}

extension Array {
  /// Takes out, doubles, exchanges or moves an element; nothing where there is none.
  mutating func rearrange(_ random: inout Random) {
    guard !isEmpty else { return }
    let (place, other) = (random.below(count), random.below(count))
    switch random.below(4) {
    case 0: remove(at: place)
    case 1: insert(self[place], at: other)
    case 2: swapAt(place, other)
    default: insert(remove(at: place), at: Swift.min(other, count))
    }
  }
}
