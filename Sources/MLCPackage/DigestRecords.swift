import MLCCore

/// Identities of files with the digests of their bytes, the oldest first, as they stand in a file: 8 bytes that name
/// the format, then 80 bytes a record: the identity's five words, the digest, and the first 8 bytes of SHA-256 of
/// those.
package struct DigestRecords: Sendable {
  static let limit = 1024
  private static let magic = Array("mlcdig1\n".utf8)
  private static let (wordBytes, digestBytes, recordBytes) = (40, 32, 80)

  package private(set) var bytes = DigestRecords.magic

  package init() {}

  /// What of `bytes` is sound; nothing when they are no such file.
  init(_ bytes: [UInt8]) {
    let body = bytes.count - Self.magic.count
    guard body >= 0, body.isMultiple(of: Self.recordBytes), body / Self.recordBytes <= Self.limit,
      bytes.starts(with: Self.magic)
    else { return }
    self.bytes = bytes
  }

  static var mostBytes: Int { magic.count + limit * recordBytes }

  /// The digest of the file, when there is a sound record of it.
  func digest(of identity: FileIdentity) -> [UInt8]? {
    let words = identity.words
    guard let start = starts.first(where: { holds(words, at: $0) }) else { return nil }
    let (digest, end) = (start + Self.wordBytes, start + Self.recordBytes)
    guard Self.check(bytes[start..<end - 8]) == Array(bytes[end - 8..<end]) else { return nil }
    return Array(bytes[digest..<digest + Self.digestBytes])
  }

  /// Adds a record in the place of what is known of that file from before, and of the oldest where there are too many.
  package mutating func insert(_ identity: FileIdentity, _ digest: [UInt8]) {
    precondition(digest.count == Self.digestBytes, "\(digest.count) bytes of digest")
    let file = Array(identity.words.prefix(2))
    for start in starts.reversed() where holds(file, at: start) { remove(start) }
    if bytes.count == Self.mostBytes { remove(Self.magic.count) }
    var record = identity.words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * Int64($0))) } }
    record += digest
    bytes += record + Self.check(record[...])
  }

  private var starts: StrideTo<Int> { stride(from: Self.magic.count, to: bytes.count, by: Self.recordBytes) }

  private mutating func remove(_ start: Int) { bytes.removeSubrange(start..<start + Self.recordBytes) }

  /// Whether the record's first words are these.
  private func holds(_ words: [Int64], at start: Int) -> Bool {
    bytes.withUnsafeBytes { bytes in
      words.indices.allSatisfy { index in
        Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 8 * index, as: Int64.self)) == words[index]
      }
    }
  }

  private static func check(_ record: ArraySlice<UInt8>) -> [UInt8] {
    var hash = SHA256()
    record.withUnsafeBytes { hash.update($0) }
    return Array(hash.digest.prefix(8))
  }
}
