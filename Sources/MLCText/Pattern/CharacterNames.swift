/// Sets of characters by the names that patterns give them.
enum CharacterNames {
  /// Perl's, behind a backslash.
  static func perl(_ name: Unicode.Scalar) -> CharacterSet.Part? {
    switch name {
    case "d": CharacterSet.Part([0x30...0x39])
    case "D": CharacterSet.Part([0x30...0x39], isNegated: true)
    case "s": CharacterSet.Part(space)
    case "S": CharacterSet.Part(space, isNegated: true)
    case "w": CharacterSet.Part(CharacterSet.word.parts[0].ranges)
    case "W": CharacterSet.Part(CharacterSet.word.parts[0].ranges, isNegated: true)
    default: nil
    }
  }

  /// POSIX', in `[:name:]`.
  static func posix(_ name: String) -> [ClosedRange<UInt32>]? {
    switch name {
    case "alnum": [0x30...0x39, 0x41...0x5a, 0x61...0x7a]
    case "alpha": [0x41...0x5a, 0x61...0x7a]
    case "ascii": [0...0x7f]
    case "blank": [0x09...0x09, 0x20...0x20]
    case "cntrl": [0...0x1f, 0x7f...0x7f]
    case "digit": [0x30...0x39]
    case "graph": [0x21...0x7e]
    case "lower": [0x61...0x7a]
    case "print": [0x20...0x7e]
    case "punct": [0x21...0x2f, 0x3a...0x40, 0x5b...0x60, 0x7b...0x7e]
    case "space": [0x09...0x0d, 0x20...0x20]
    case "upper": [0x41...0x5a]
    case "word": CharacterSet.word.parts[0].ranges
    case "xdigit": [0x30...0x39, 0x41...0x46, 0x61...0x66]
    default: nil
    }
  }

  /// Unicode's general categories, `Lu` or all that begin with `L`, and `Any`.
  static func unicode(_ name: String) -> CharacterSet.Part? {
    if name == "Any" { return CharacterSet.Part(CharacterSet.all.parts[0].ranges) }
    let found = categories.filter { $0.name.hasPrefix(name) }.map { $0.category }
    return found.isEmpty ? nil : CharacterSet.Part(categories: Set(found))
  }

  private static let space: [ClosedRange<UInt32>] = [0x09...0x0a, 0x0c...0x0d, 0x20...0x20]

  private static let categories: [(name: String, category: Unicode.GeneralCategory)] = [
    ("Cc", .control), ("Cf", .format), ("Co", .privateUse), ("Cs", .surrogate),
    ("Ll", .lowercaseLetter), ("Lm", .modifierLetter), ("Lo", .otherLetter), ("Lt", .titlecaseLetter),
    ("Lu", .uppercaseLetter), ("Mc", .spacingMark), ("Me", .enclosingMark), ("Mn", .nonspacingMark),
    ("Nd", .decimalNumber), ("Nl", .letterNumber), ("No", .otherNumber), ("Pc", .connectorPunctuation),
    ("Pd", .dashPunctuation), ("Pe", .closePunctuation), ("Pf", .finalPunctuation), ("Pi", .initialPunctuation),
    ("Po", .otherPunctuation), ("Ps", .openPunctuation), ("Sc", .currencySymbol), ("Sk", .modifierSymbol),
    ("Sm", .mathSymbol), ("So", .otherSymbol), ("Zl", .lineSeparator), ("Zp", .paragraphSeparator),
    ("Zs", .spaceSeparator),
  ]
}
