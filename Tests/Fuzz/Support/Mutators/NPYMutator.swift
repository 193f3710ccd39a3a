/// Changes the words of a `.npy` file's header, and how many bytes of elements follow.
package struct NPYMutator: Mutator {
  package init() {}

  package func mutated(_ bytes: [UInt8], _ random: inout Random) -> [UInt8]? {
    guard bytes.count > 12, bytes[6] > 0, bytes[6] < 4 else { return nil }
    let start = bytes[6] == 1 ? 10 : 12
    let length = bytes[8..<start].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= bytes.count - start else { return nil }
    var (header, elements) = (Array(bytes[start..<start + length]), Array(bytes[(start + length)...]))
    if random.below(4) > 0 {
      let words = WordMutator(dictionary: [
        "f4", "f8", "i1", "u2", "c8", "b1", "O", ">", "<", "|", "=", "True", "False",
      ])
      header = words.mutated(header, &random) ?? header
    } else {
      let count = elements.count * [0, 1, 2, 4, 8][random.below(5)] / [1, 2, 4, 8][random.below(4)]
      let padding = [UInt8](repeating: 0, count: max(0, min(count, 1 << 12) - elements.count))
      elements = Array(elements.prefix(count)) + padding
    }
    var out = Array(bytes[..<8])
    if start == 10 {
      out.append(little: UInt16(truncatingIfNeeded: header.count))
    } else {
      out.append(little: UInt32(header.count))
    }
    return out + header + elements
  }
}
