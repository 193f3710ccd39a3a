/// Characters by their numbers and general categories.
struct CharacterSet: Sendable {
  /// Ranges of numbers, or characters of some categories, or all others.
  struct Part: Sendable {
    /// In rising order, none touching another.
    let ranges: [ClosedRange<UInt32>]
    let categories: Set<Unicode.GeneralCategory>
    var isNegated: Bool

    init(_ ranges: [ClosedRange<UInt32>], isNegated: Bool = false) {
      var merged: [ClosedRange<UInt32>] = []
      for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
        if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
          merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
        } else {
          merged.append(range)
        }
      }
      (self.ranges, categories, self.isNegated) = (merged, [], isNegated)
    }

    init(categories: Set<Unicode.GeneralCategory>) { (ranges, self.categories, isNegated) = ([], categories, false) }

    fileprivate func holds(_ scalar: Unicode.Scalar) -> Bool {
      if !categories.isEmpty { return categories.contains(scalar.properties.generalCategory) }
      // The ranges up to `low` begin at the character or before it.
      var (low, high) = (0, ranges.count)
      while low < high {
        let middle = (low + high) / 2
        if ranges[middle].lowerBound <= scalar.value { low = middle + 1 } else { high = middle }
      }
      return low > 0 && scalar.value <= ranges[low - 1].upperBound
    }
  }

  var parts: [Part] = []
  /// Whether it is all characters of no part.
  var isNegated = false
  /// Whether characters stand for those that differ from them in case alone.
  var foldsCase = false

  init(_ ranges: ClosedRange<UInt32>..., isNegated: Bool = false) {
    parts = [Part(ranges)]
    self.isNegated = isNegated
  }
  init(_ scalar: Unicode.Scalar, foldsCase: Bool) {
    parts = [Part([scalar.value...scalar.value])]
    self.foldsCase = foldsCase
  }
  init(parts: [Part], isNegated: Bool, foldsCase: Bool) {
    (self.parts, self.isNegated, self.foldsCase) = (parts, isNegated, foldsCase)
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    guard foldsCase else { return parts.contains { $0.holds(scalar) != $0.isNegated } != isNegated }
    let alike = CaseFolding.alike(scalar)
    return parts.contains { part in alike.contains { part.holds($0) } != part.isNegated } != isNegated
  }

  static let all = CharacterSet(0...0x10ffff)
  static let allButNewline = CharacterSet(0x0a...0x0a, isNegated: true)
  static let word = CharacterSet(0x30...0x39, 0x41...0x5a, 0x5f...0x5f, 0x61...0x7a)
}

/// Which characters differ in case alone, by Unicode's simple case folding.
enum CaseFolding {
  /// `scalar`, and those that it folds together with.
  static func alike(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] { classes[folded(scalar)] ?? [scalar] }

  /// The classes of several characters, by what they fold to.
  private static let classes: [Unicode.Scalar: [Unicode.Scalar]] = {
    var all: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    for value in UInt32(0)...0x1ffff {
      guard let scalar = Unicode.Scalar(value), scalar.properties.isCased || scalar.properties.changesWhenCaseMapped
      else { continue }
      all[folded(scalar), default: []].append(scalar)
    }
    return all.filter { $0.value.count > 1 }
  }()

  /// The small letter of the capital letter, where each is one character. The dotless ı is another letter than i.
  private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    func single(_ text: String) -> Unicode.Scalar? { text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil }
    if scalar == "ı" { return scalar }
    let capital = single(scalar.properties.uppercaseMapping) ?? scalar
    return single(capital.properties.lowercaseMapping) ?? capital
  }
}
