import MLCCore

/// Reads RE2's syntax. Recursive, no deeper than `nestingLimit`.
struct PatternParser {
  /// Groups within groups.
  static let nestingLimit = 250
  /// Repetitions that a count asks for.
  static let countLimit = 1000

  /// What `(?…)` switches, within its group.
  struct Flags {
    /// `i`: case makes no difference.
    var foldsCase = false
    /// `m`: `^` and `$` hold at the ends of lines.
    var isMultiline = false
    /// `s`: the dot takes line feeds.
    var dotTakesAll = false
  }

  let source: [Unicode.Scalar]
  var place = 0
  var flags = Flags()
  private var depth = 0

  init(_ source: String) { self.source = Array(source.unicodeScalars) }

  /// The whole. Throws `text.pattern`.
  mutating func pattern() throws(Diagnostic) -> PatternNode {
    let node = try alternatives()
    if place < source.count { return try refuse("an unexpected )") }
    return node
  }

  func refuse<R>(_ why: String, unsupported: Bool = false) throws(Diagnostic) -> R {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: source)
    throw Diagnostic(
      "text.pattern",
      "the pattern '\(String(text))' has \(why), at character \(min(place, source.count) + 1)",
      kind: unsupported ? .unsupported : .badModel
    )
  }

  // MARK: Characters

  var next: Unicode.Scalar? { place < source.count ? source[place] : nil }

  /// Whether `text` comes next; if so, it is taken.
  mutating func take(_ text: String) -> Bool {
    let wanted = text.unicodeScalars
    guard source[place...].starts(with: wanted) else { return false }
    place += wanted.count
    return true
  }

  /// The next character. Throws `text.pattern` at the end, where `what` is missing.
  mutating func take(or what: String) throws(Diagnostic) -> Unicode.Scalar {
    guard let scalar = next else { return try refuse("a missing \(what)") }
    place += 1
    return scalar
  }

  // MARK: Alternatives and sequences

  private mutating func alternatives() throws(Diagnostic) -> PatternNode {
    var sides = [try sequence()]
    while take("|") { sides.append(try sequence()) }
    return sides.count == 1 ? sides[0] : .alternatives(sides)
  }

  private mutating func sequence() throws(Diagnostic) -> PatternNode {
    var nodes: [PatternNode] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      if take("\\Q") {
        while next != nil, !take("\\E") { nodes.append(literal(try take(or: "character"))) }
      } else if let node = try atom() {
        nodes.append(node)
      }
      // Behind a quotation or a switch of flags it is that of what stands before.
      if !nodes.isEmpty, let range = try repetition() {
        nodes.append(.repetition(nodes.removeLast(), least: range.least, most: range.most))
        if try repetition() != nil { return try refuse("a repetition of a repetition") }
      }
    }
    return nodes.count == 1 ? nodes[0] : .sequence(nodes)
  }

  func literal(_ scalar: Unicode.Scalar) -> PatternNode {
    .characters(CharacterSet(scalar, foldsCase: flags.foldsCase))
  }

  /// What a repetition may follow; `nil` for a switch of flags.
  private mutating func atom() throws(Diagnostic) -> PatternNode? {
    let start = place
    switch try take(or: "character") {
    case "(": return try group()
    case "[": return .characters(try bracket())
    case ".": return .characters(flags.dotTakesAll ? .all : .allButNewline)
    case "^": return .condition(flags.isMultiline ? .lineStart : .textStart)
    case "$": return .condition(flags.isMultiline ? .lineEnd : .textEnd)
    case "\\": return try escape()
    case "*", "+", "?":
      place = start
      return try refuse("nothing to repeat")
    case "{":
      place = start
      if try repetition() != nil { return try refuse("nothing to repeat") }
      place = start + 1
      return literal("{")
    case let scalar: return literal(scalar)
    }
  }

  // MARK: Groups

  private mutating func group() throws(Diagnostic) -> PatternNode? {
    depth += 1
    guard depth <= Self.nestingLimit else { return try refuse("groups nested too deep") }
    defer { depth -= 1 }
    let outer = flags
    if take("?P<") || take("?<") {
      try name()
    } else if take("?") {
      guard try switches() else { return nil }
    }
    let node = try alternatives()
    guard take(")") else { return try refuse("a missing )") }
    flags = outer
    return node
  }

  private mutating func name() throws(Diagnostic) {
    var isEmpty = true
    while !take(">") {
      guard CharacterSet.word.contains(try take(or: "> behind a name")) else {
        return try refuse("a group without a name")
      }
      isEmpty = false
    }
    if isEmpty { return try refuse("a group without a name") }
  }

  /// Reads `i-s:` or `i-s)` behind `(?`: whether a group follows.
  private mutating func switches() throws(Diagnostic) -> Bool {
    var (isOn, isEmpty) = (true, true)
    while true {
      switch try take(or: "flag") {
      case "i": flags.foldsCase = isOn
      case "m": flags.isMultiline = isOn
      case "s": flags.dotTakesAll = isOn
      case "U": break
      case "-":
        guard isOn else { return try refuse("flags that do not exist") }
        (isOn, isEmpty) = (false, true)
        continue
      case ":" where isOn || !isEmpty: return true
      case ")" where isOn || !isEmpty: return false
      default: return try refuse("flags that do not exist")
      }
      isEmpty = false
    }
  }

  // MARK: Repetitions

  /// `*`, `+`, `?`, `{2,3}` and the `?` that may follow; `nil` for anything else.
  private mutating func repetition() throws(Diagnostic) -> (least: Int, most: Int?)? {
    let range: (least: Int, most: Int?)
    if take("*") {
      range = (0, nil)
    } else if take("+") {
      range = (1, nil)
    } else if take("?") {
      range = (0, 1)
    } else if let counts = counts() {
      guard counts.least <= Self.countLimit, counts.most ?? 0 <= Self.countLimit, counts.least <= counts.most ?? .max
      else { return try refuse("a count of repetitions beyond \(Self.countLimit), or the smaller one last") }
      range = counts
    } else {
      return nil
    }
    _ = take("?")
    return range
  }

  private mutating func counts() -> (least: Int, most: Int?)? {
    let start = place
    if take("{"), let least = number() {
      if take("}") { return (least, least) }
      if take(",") {
        if take("}") { return (least, nil) }
        if let most = number(), take("}") { return (least, most) }
      }
    }
    place = start
    return nil
  }

  /// Without leading zeros; beyond the limit any number is one more than it.
  private mutating func number() -> Int? {
    let start = place
    var value = 0
    while let scalar = next, ("0"..."9").contains(scalar) {
      value = min(value * 10 + Int(scalar.value - 0x30), Self.countLimit + 1)
      place += 1
    }
    let isOne = place > start && (source[start] != "0" || place == start + 1)
    if !isOne { place = start }
    return isOne ? value : nil
  }
}
