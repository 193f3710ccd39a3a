import MLCCore

/// Removes words from a list of texts and changes the case of the rest.
///
/// A text is removed where it is one of `stopwords`; without `isCaseSensitive` where it is in lower case. The case is
/// changed as Unicode maps each character, whatever the locale and its neighbours. Where nothing is left, one empty
/// text is. Normalizers are equal where the UTF-8 of their words is. Source: ONNX `StringNormalizer`.
package struct TextNormalizer: Sendable {
  package enum CaseChange: String, Hashable, Sendable, CaseIterable {
    case none = "NONE"
    case lower = "LOWER"
    case upper = "UPPER"
  }

  package var change: CaseChange
  package var isCaseSensitive: Bool
  package var stopwords: [String]

  package init(change: CaseChange, isCaseSensitive: Bool, stopwords: [String]) {
    (self.change, self.isCaseSensitive, self.stopwords) = (change, isCaseSensitive, stopwords)
  }

  package func normalized(_ texts: [String]) -> [String] {
    func key(_ text: String) -> UTF8Text { UTF8Text(isCaseSensitive ? text : text.lowercased()) }
    let removed = Set(stopwords.map(key))
    let kept = removed.isEmpty ? texts : texts.filter { !removed.contains(key($0)) }
    return kept.isEmpty ? [""] : kept.map(changed)
  }

  private func changed(_ text: String) -> String {
    switch change {
    case .none: text
    case .lower: text.lowercased()
    case .upper: text.uppercased()
    }
  }
}

extension TextNormalizer: Hashable {
  package static func == (a: TextNormalizer, b: TextNormalizer) -> Bool {
    a.change == b.change && a.isCaseSensitive == b.isCaseSensitive && a.stopwords.utf8Texts == b.stopwords.utf8Texts
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(change)
    hasher.combine(isCaseSensitive)
    hasher.combine(stopwords.utf8Texts)
  }
}
