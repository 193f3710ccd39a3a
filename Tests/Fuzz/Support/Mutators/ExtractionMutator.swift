/// Changes the directory of an extraction of HDF5: 64 bytes that say where it stands, elements, and the directory,
/// JSON.
package struct ExtractionMutator: Mutator {
  package init() {}

  package func mutated(_ bytes: [UInt8], _ random: inout Random) -> [UInt8]? {
    guard let range = Self.directory(bytes), let directory = JSONMutator().mutated(Array(bytes[range]), &random) else {
      return nil
    }
    return Self.written(bytes, range, directory)
  }

  package func extremes(of bytes: [UInt8], _ visit: ([UInt8]) -> Void) {
    guard let range = Self.directory(bytes) else { return }
    JSONMutator().extremes(of: Array(bytes[range])) { visit(Self.written(bytes, range, $0)) }
  }

  private static func directory(_ bytes: [UInt8]) -> Range<Int>? {
    guard bytes.count >= 64 else { return nil }
    func number(_ place: Int) -> Int {
      Int(truncatingIfNeeded: bytes[place..<place + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
    let (offset, length) = (number(16), number(24))
    guard offset >= 64, length >= 0, offset <= bytes.count, length <= bytes.count - offset else { return nil }
    return offset..<offset + length
  }

  /// With `directory` for what stands at `range`, and nothing behind it.
  private static func written(_ bytes: [UInt8], _ range: Range<Int>, _ directory: [UInt8]) -> [UInt8] {
    var out = Array(bytes[..<24])
    out.append(little: UInt64(directory.count))
    return out + bytes[32..<range.lowerBound] + directory
  }
}
