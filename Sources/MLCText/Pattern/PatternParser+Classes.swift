import MLCCore

extension PatternParser {
  /// What a backslash begins, outside of brackets.
  mutating func escape() throws(Diagnostic) -> PatternNode {
    switch next {
    case "A": return condition(.textStart)
    case "z": return condition(.textEnd)
    case "b": return condition(.boundary)
    case "B": return condition(.noBoundary)
    case "C": return try refuse("\\C, a byte of a character", unsupported: true)
    default: break
    }
    if let part = try namedPart() {
      return .characters(CharacterSet(parts: [part], isNegated: false, foldsCase: flags.foldsCase))
    }
    return literal(try escapedScalar())
  }

  private mutating func condition(_ condition: PatternCondition) -> PatternNode {
    place += 1
    return .condition(condition)
  }

  /// The set of characters behind `[`.
  mutating func bracket() throws(Diagnostic) -> CharacterSet {
    let isNegated = take("^")
    var (parts, ranges) = ([CharacterSet.Part](), [ClosedRange<UInt32>]())
    var isFirst = true
    while isFirst || next != "]" {
      isFirst = false
      if let part = try posixPart() {
        parts.append(part)
      } else if next == "\\" {
        place += 1
        if let part = try namedPart() {
          parts.append(part)
        } else {
          ranges.append(try range(from: try escapedScalar()))
        }
      } else {
        ranges.append(try range(from: try take(or: "] behind a class of characters")))
      }
    }
    place += 1
    if !ranges.isEmpty { parts.append(CharacterSet.Part(ranges)) }
    return CharacterSet(parts: parts, isNegated: isNegated, foldsCase: flags.foldsCase)
  }

  /// The range that begins with `start`, or that alone.
  private mutating func range(from start: Unicode.Scalar) throws(Diagnostic) -> ClosedRange<UInt32> {
    guard next == "-", place + 1 < source.count, source[place + 1] != "]" else { return start.value...start.value }
    place += 1
    var end = try take(or: "end of a range")
    if end == "\\" { end = try escapedScalar() }
    guard start <= end else { return try refuse("a range that ends before it begins") }
    return start.value...end.value
  }

  /// `[:alpha:]` or `[:^alpha:]`; `nil` where none begins.
  private mutating func posixPart() throws(Diagnostic) -> CharacterSet.Part? {
    let start = place
    guard take("[:") else { return nil }
    let isNegated = take("^")
    var name = String.UnicodeScalarView()
    while let scalar = next, scalar != ":", name.count < 16 {
      name.append(scalar)
      place += 1
    }
    guard take(":]") else {
      place = start
      return nil
    }
    guard let ranges = CharacterNames.posix(String(name)) else { return try refuse("a class that does not exist") }
    return CharacterSet.Part(ranges, isNegated: isNegated)
  }

  /// `d` or `pL` or `p{^Lu}` behind a backslash; `nil` for anything else.
  private mutating func namedPart() throws(Diagnostic) -> CharacterSet.Part? {
    guard let scalar = next else { return nil }
    if let part = CharacterNames.perl(scalar) {
      place += 1
      return part
    }
    guard scalar == "p" || scalar == "P" else { return nil }
    place += 1
    var name = String.UnicodeScalarView()
    var isNegated = scalar == "P"
    if take("{") {
      if take("^") { isNegated.toggle() }
      while !take("}") { name.append(try take(or: "} behind a category")) }
    } else {
      name.append(try take(or: "category"))
    }
    guard !name.isEmpty, var part = CharacterNames.unicode(String(name)) else {
      return try refuse("'\(String(name))', no general category of Unicode", unsupported: true)
    }
    part.isNegated = isNegated
    return part
  }

  /// The character behind a backslash that stands for one.
  private mutating func escapedScalar() throws(Diagnostic) -> Unicode.Scalar {
    switch try take(or: "character behind \\") {
    case "a": return "\u{07}"
    case "f": return "\u{0c}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "v": return "\u{0b}"
    case "x": return try hexadecimal()
    case "0": return try octal(0, upTo: 2)
    case let digit where ("1"..."7").contains(digit):
      guard let following = next, ("0"..."7").contains(following) else {
        return try refuse("a reference to a group", unsupported: true)
      }
      return try octal(digit.value - 0x30, upTo: 2)
    case let scalar where scalar.isASCII && (scalar == "_" || !CharacterSet.word.contains(scalar)): return scalar
    default: return try refuse("an escape that does not exist")
    }
  }

  private mutating func octal(_ start: UInt32, upTo count: Int) throws(Diagnostic) -> Unicode.Scalar {
    var value = start
    for _ in 0..<count {
      guard let digit = next, ("0"..."7").contains(digit) else { break }
      value = value * 8 + digit.value - 0x30
      place += 1
    }
    return try scalar(value)
  }

  /// `7f` or `{10ffff}`.
  private mutating func hexadecimal() throws(Diagnostic) -> Unicode.Scalar {
    var value: UInt32 = 0
    if take("{") {
      if next == "}" { return try refuse("no digits") }
      while !take("}") {
        value = value * 16 + (try hexadecimalDigit())
        if value > 0x10ffff { return try refuse("a character beyond Unicode's") }
      }
    } else {
      for _ in 0..<2 { value = value * 16 + (try hexadecimalDigit()) }
    }
    return try scalar(value)
  }

  private mutating func hexadecimalDigit() throws(Diagnostic) -> UInt32 {
    let scalar = try take(or: "hexadecimal digit")
    guard scalar.isASCII, let digit = Character(scalar).hexDigitValue else { return try refuse("no hexadecimal digit") }
    return UInt32(digit)
  }

  private func scalar(_ value: UInt32) throws(Diagnostic) -> Unicode.Scalar {
    guard let scalar = Unicode.Scalar(value) else { return try refuse("a character that is none of Unicode's") }
    return scalar
  }
}
