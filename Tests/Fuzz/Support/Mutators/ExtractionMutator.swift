/// Changes the directory of an extraction of HDF5: 64 bytes that say where it stands, elements, and the directory,
/// JSON.
package struct ExtractionMutator: Mutator {
  package init() {}

  package func mutated(_ bytes: [UInt8], _ random: inout Random) -> [UInt8]? {
    guard bytes.count >= 64 else { return nil }
    func number(_ place: Int) -> Int {
      Int(truncatingIfNeeded: bytes[place..<place + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
    let (offset, length) = (number(16), number(24))
    guard offset >= 64, length >= 0, offset <= bytes.count, length <= bytes.count - offset,
      let directory = JSONMutator().mutated(Array(bytes[offset..<offset + length]), &random)
    else { return nil }
    var out = Array(bytes[..<24])
    out.append(little: UInt64(directory.count))
    return out + bytes[32..<offset] + directory
  }
}
