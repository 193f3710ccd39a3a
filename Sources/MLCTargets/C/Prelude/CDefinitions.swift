/// A C text in pieces, of which a file takes those that it names.
///
/// A piece is a function, `FN …` to the first line that ends it; a macro; or all that stands between `#if` and `#endif`
/// outside of functions. Comments belong to what follows them. Types and declarations, which name no function, are
/// pieces that every file takes.
package struct CDefinitions {
  private struct Piece {
    let text: Substring
    /// No names where the piece is always taken.
    let names: [Substring]
  }

  private let pieces: [Piece]
  /// The pieces that define a name.
  private let places: [Substring: [Int]]

  package init(_ text: String) {
    var (pieces, lines) = ([Piece](), Self.lines(text)[...])
    while !lines.isEmpty {
      let length = Self.length(of: lines)
      let piece = lines.prefix(length)
      lines = lines.dropFirst(length)
      let whole = text[piece.first!.startIndex..<piece.last!.endIndex]
      pieces.append(Piece(text: whole, names: piece.compactMap(Self.definedName)))
    }
    self.pieces = pieces
    var places: [Substring: [Int]] = [:]
    for (number, piece) in pieces.enumerated() { for name in piece.names { places[name, default: []].append(number) } }
    self.places = places
  }

  /// The pieces that `sources` name, those that these name in turn, and those without a name.
  package func named(in sources: [String]) -> String {
    var isTaken = pieces.map(\.names.isEmpty)
    var open = zip(pieces, isTaken).filter { $1 }.map { $0.0.text } + sources.map { $0[...] }
    while let text = open.popLast() {
      Self.eachIdentifier(of: text) { name in
        for place in places[name] ?? [] where !isTaken[place] {
          isTaken[place] = true
          open.append(pieces[place].text)
        }
      }
    }
    return zip(pieces, isTaken).filter { $1 }.map { $0.0.text }.joined(separator: "\n")
  }

  // MARK: Lines

  /// Those that hold something.
  private static func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }

  /// How many of `lines` the first piece has.
  private static func length(of lines: ArraySlice<Substring>) -> Int {
    let comments = lines.prefix { $0.hasPrefix("//") || $0.hasPrefix("/*") }.count
    let rest = lines.dropFirst(comments)
    guard let first = rest.first else { return comments }
    return comments + self.length(first, of: rest)
  }

  private static func length(_ first: Substring, of lines: ArraySlice<Substring>) -> Int {
    if first.hasPrefix("#if") {
      var depth = 0
      for (number, line) in lines.enumerated() {
        if line.hasPrefix("#if") { depth += 1 } else if line.hasPrefix("#endif") { depth -= 1 }
        if depth == 0 { return number + 1 }
      }
    } else if first.hasPrefix("#define") {
      return lines.prefix { $0.hasSuffix("\\") }.count + 1
    } else if first.hasPrefix("FN "), !first.hasSuffix("}") {
      return lines.prefix { $0 != "}" }.count + 1
    }
    return 1
  }

  /// What a line defines outside of functions.
  private static func definedName(_ line: Substring) -> Substring? {
    if line.hasPrefix("#define ") { return line.dropFirst(8).prefix { $0 != "(" && $0 != " " } }
    guard line.hasPrefix("FN "), let end = line.firstIndex(of: "(") else { return nil }
    let head = line[..<end]
    return head[(head.lastIndex { $0 == " " || $0 == "*" } ?? head.startIndex)...].dropFirst()
  }

  private static func eachIdentifier(of text: Substring, _ body: (Substring) -> Void) {
    let bytes = text.utf8
    var start: Substring.Index?
    for index in bytes.indices {
      let isPart = isPart(bytes[index])
      if isPart, start == nil { start = index }
      if !isPart, let first = start {
        body(text[first..<index])
        start = nil
      }
    }
    if let start { body(text[start...]) }
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
