/// Changes chunks of a picture and writes their lengths and checksums anew.
package struct PNGMutator: Mutator {
  package init() {}

  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]

  package func mutated(_ bytes: [UInt8], _ random: inout Random) -> [UInt8]? {
    guard bytes.starts(with: Self.signature), var chunks = Self.chunks(bytes.dropFirst(8)), !chunks.isEmpty else {
      return nil
    }
    let place = random.below(chunks.count)
    switch random.below(6) {
    case 0: chunks.rearrange(&random)
    case 1: chunks[place].kind = mutatedBytes(chunks[place].kind)
    default: chunks[place].bytes = mutatedBytes(chunks[place].bytes)
    }
    var out = Self.signature
    for chunk in chunks where chunk.kind.count >= 4 {
      let content = chunk.kind.prefix(4) + chunk.bytes
      out.append(big: UInt32(chunk.bytes.count))
      out += content
      out.append(big: Checksum.of(content))
    }
    return out
  }

  private static func chunks(_ bytes: ArraySlice<UInt8>) -> [(kind: [UInt8], bytes: [UInt8])]? {
    var (rest, chunks): (ArraySlice<UInt8>, [(kind: [UInt8], bytes: [UInt8])]) = (bytes, [])
    while rest.count >= 12 {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard length <= rest.count - 12 else { return nil }
      chunks.append((Array(rest.dropFirst(4).prefix(4)), Array(rest.dropFirst(8).prefix(length))))
      rest = rest.dropFirst(12 + length)
    }
    return chunks
  }
}
