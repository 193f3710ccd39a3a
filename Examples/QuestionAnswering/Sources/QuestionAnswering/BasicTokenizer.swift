import Foundation

/// BERT's first step: text into words, before they are cut into pieces.
///
/// What separates words is white space; each punctuation mark and each Chinese character is a word of its own. Control
/// characters are left out. In lower case, accents are left out too.
struct BasicTokenizer: Sendable {
  /// Whether the vocabulary has lower case alone, without accents.
  let lowercased: Bool

  /// A word as the vocabulary spells it.
  struct Word {
    var scalars: [Unicode.Scalar] = []
    /// Where each of `scalars` comes from in the text.
    var origins: [Range<String.Index>] = []
  }

  func words(of text: String) -> [Word] {
    var (words, word) = ([Word](), Word())
    func end() {
      if !word.scalars.isEmpty { words.append(word) }
      word = Word()
    }
    let scalars = text.unicodeScalars
    var place = scalars.startIndex
    while place < scalars.endIndex {
      let (scalar, next) = (scalars[place], scalars.index(after: place))
      let origin = place..<next
      place = next
      if scalar.isLeftOut { continue }
      if scalar.properties.isWhitespace {
        end()
        continue
      }
      if scalar.isChinese { end() }
      for spelt in spelling(scalar) {
        if spelt.isPunctuation { end() }
        word.scalars.append(spelt)
        word.origins.append(origin)
        if spelt.isPunctuation { end() }
      }
      if scalar.isChinese { end() }
    }
    end()
    return words
  }

  private func spelling(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    if !lowercased { return [scalar] }
    if scalar.isASCII { return Array(scalar.properties.lowercaseMapping.unicodeScalars) }
    return String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
      .filter { $0.properties.generalCategory != .nonspacingMark }
      .flatMap { Array($0.properties.lowercaseMapping.unicodeScalars) }
  }
}

extension Unicode.Scalar {
  /// Control characters, but for those that separate words, and what stands for damaged text.
  fileprivate var isLeftOut: Bool {
    switch self {
    case "\t", "\n", "\r": return false
    case "\u{FFFD}": return true
    default: break
    }
    return switch properties.generalCategory {
    case .control, .format, .privateUse, .surrogate: true
    default: false
    }
  }

  /// Among ASCII's, marks that Unicode calls symbols too, as `$` and `+`.
  fileprivate var isPunctuation: Bool {
    switch value {
    case 33...47, 58...64, 91...96, 123...126: return true
    default: break
    }
    return switch properties.generalCategory {
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation:
      true
    default: false
    }
  }

  /// Ideographs, which Chinese and Japanese write without spaces.
  fileprivate var isChinese: Bool {
    switch value {
    case 0x4E00...0x9FFF, 0x3400...0x4DBF, 0x20000...0x2A6DF, 0x2A700...0x2B73F, 0x2B740...0x2B81F, 0x2B920...0x2CEAF,
      0xF900...0xFAFF, 0x2F800...0x2FA1F:
      true
    default: false
    }
  }
}
