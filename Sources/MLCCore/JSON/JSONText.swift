/// JSON as it stands in a file: the value, and where each part of it is.
package struct JSONText: Sendable {
  /// From a value to one inside of it.
  package enum Step: Hashable, Sendable {
    case key(String)
    case index(Int)
  }

  package let value: JSON
  private let bytes: [UInt8]

  /// Throws what parsing throws, located at the byte that is wrong.
  package init(_ bytes: [UInt8]) throws(Diagnostic) {
    let result: Result<JSON, Diagnostic> = bytes.withUnsafeBytes { bytes in
      do throws(Diagnostic) { return .success(try JSON(parsing: bytes)) } catch { return .failure(error) }
    }
    (value, self.bytes) = (try result.get(), bytes)
  }

  /// Where the member or item at the end of `path` begins: a member with its key. The start of the file for none, and
  /// the innermost that there is where `path` leads nowhere.
  package func position(of path: [Step]) -> TextPosition {
    bytes.withUnsafeBytes { bytes in
      var finder = JSONFinder(scanner: JSONScanner(bytes))
      // Parsed before, so that nothing is thrown.
      try? finder.find(path[...])
      return TextPosition(bytes, offset: finder.found)
    }
  }
}

/// Walks along a path.
private struct JSONFinder {
  var scanner: JSONScanner
  private(set) var found = 0

  init(scanner: JSONScanner) {
    self.scanner = scanner
    self.scanner.skipSpace()
    found = self.scanner.position
  }

  mutating func find(_ path: ArraySlice<JSONText.Step>) throws(Diagnostic) {
    guard let step = path.first else { return }
    let isObject = scanner.take("{")
    guard isObject || scanner.take("[") else { return }
    var index = 0
    repeat {
      scanner.skipSpace()
      let start = scanner.position
      if scanner.next == UInt8(ascii: "}") || scanner.next == UInt8(ascii: "]") { return }
      var here = JSONText.Step.index(index)
      if isObject {
        here = .key(try scanner.string())
        try scanner.expect(":")
      }
      if here == step {
        found = start
        return try find(path.dropFirst())
      }
      try skip()
      index += 1
    } while scanner.take(",")
  }

  /// Passes a value over.
  private mutating func skip() throws(Diagnostic) {
    var depth = 0
    repeat {
      scanner.skipSpace()
      switch scanner.next {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        scanner.position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        scanner.position += 1
      case UInt8(ascii: "\""): _ = try scanner.string()
      case UInt8(ascii: ","), UInt8(ascii: ":"): scanner.position += 1
      case .some: word()
      case nil: return
      }
    } while depth > 0
  }

  /// Passes a number or a word over.
  private mutating func word() {
    while let byte = scanner.next, !",:]} \n\r\t".utf8.contains(byte) { scanner.position += 1 }
  }
}
