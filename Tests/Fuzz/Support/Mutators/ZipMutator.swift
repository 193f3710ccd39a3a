import MLCCore
import MLCTensorIO

/// Changes entries of an archive and writes it anew, uncompressed and with right checksums.
package struct ZipMutator: Mutator {
  /// For an entry of this name, `nil` for bytes.
  private let content: @Sendable (String) -> (any Mutator)?

  package init(_ content: @escaping @Sendable (String) -> (any Mutator)?) { self.content = content }

  package func mutated(_ bytes: [UInt8], _ random: inout Random) -> [UInt8]? {
    guard var entries = try? Self.entries(bytes), !entries.isEmpty else { return nil }
    let place = random.below(entries.count)
    switch random.below(8) {
    case 0: entries.rearrange(&random)
    case 1: entries[place].name = mutatedBytes(entries[place].name)
    default:
      let entry = entries[place]
      let mutator = content(String(decoding: entry.name, as: UTF8.self))
      entries[place].bytes = mutator?.mutated(entry.bytes, &random) ?? mutatedBytes(entry.bytes)
    }
    return Self.archive(entries)
  }

  package func extremes(of bytes: [UInt8], _ visit: ([UInt8]) -> Void) {
    guard let entries = try? Self.entries(bytes) else { return }
    for (place, entry) in entries.enumerated() {
      content(String(decoding: entry.name, as: UTF8.self))?.extremes(of: entry.bytes) {
        var changed = entries
        changed[place].bytes = $0
        visit(Self.archive(changed))
      }
    }
  }

  private static func entries(_ bytes: [UInt8]) throws(Diagnostic) -> [(name: [UInt8], bytes: [UInt8])] {
    let storage = Storage(byteCount: bytes.count) { $0.copyBytes(from: bytes) }
    let archive = try ZipReader(storage)
    var entries: [(name: [UInt8], bytes: [UInt8])] = []
    for entry in try archive.entries() {
      let content = try archive.unpack(entry)
      entries.append((Array(entry.name.utf8), withExtendedLifetime(content) { Array(content.bytes) }))
    }
    return entries
  }

  private static func archive(_ entries: [(name: [UInt8], bytes: [UInt8])]) -> [UInt8] {
    var (out, directory): ([UInt8], [UInt8]) = ([], [])
    for (name, bytes) in entries {
      let offset = out.count
      var common: [UInt8] = []
      for half: UInt16 in [20, 0, 0, 0, 0x21] { common.append(little: half) }
      common.append(little: Checksum.of(bytes))
      for count in [bytes.count, bytes.count] { common.append(little: UInt32(count)) }
      for half in [UInt16(truncatingIfNeeded: name.count), 0] { common.append(little: half) }
      out += [0x50, 0x4b, 3, 4] + common + name + bytes
      directory += [0x50, 0x4b, 1, 2, 20, 0] + common + [UInt8](repeating: 0, count: 10)
      directory.append(little: UInt32(offset))
      directory += name
    }
    let start = out.count
    out += directory + [0x50, 0x4b, 5, 6, 0, 0, 0, 0]
    for _ in 0..<2 { out.append(little: UInt16(truncatingIfNeeded: entries.count)) }
    for count in [directory.count, start] { out.append(little: UInt32(count)) }
    return out + [0, 0]
  }
}
