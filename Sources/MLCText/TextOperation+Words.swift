import MLCCore

extension TextOperation {
  /// The operation as code names it: its name, then its settings.
  package var words: [String] {
    switch self {
    case .concat: ["concat"]
    case .countPieces(let split): ["count_pieces"] + split.words
    case .split(let split): ["split"] + split.words
    case .normalize(let normalizer):
      ["normalize", normalizer.change.rawValue, "\(normalizer.isCaseSensitive)"] + normalizer.stopwords
    case .match(let pattern): ["match", pattern.source]
    case .rank: ["rank"]
    case .parse(let dtype): ["parse", dtype.rawValue]
    case .format(let dtype): ["format", dtype.rawValue]
    }
  }

  /// The operation of `words`; `nil` where they mean none.
  package init?(words: [String]) {
    let settings = Array(words.dropFirst())
    switch (words.first, settings.count) {
    case ("concat", 0): self = .concat
    case ("count_pieces", 2):
      guard let split = TextSplit(words: settings) else { return nil }
      self = .countPieces(split)
    case ("split", 2):
      guard let split = TextSplit(words: settings) else { return nil }
      self = .split(split)
    case ("normalize", 2...):
      guard let change = TextNormalizer.CaseChange(rawValue: settings[0]), let isCaseSensitive = Bool(settings[1])
      else {
        return nil
      }
      self = .normalize(
        TextNormalizer(change: change, isCaseSensitive: isCaseSensitive, stopwords: Array(settings.dropFirst(2)))
      )
    case ("match", 1):
      guard let pattern = try? TextPattern(settings[0]) else { return nil }
      self = .match(pattern)
    case ("rank", 0): self = .rank
    case ("parse", 1), ("format", 1):
      guard let dtype = DType(rawValue: settings[0]) else { return nil }
      self = words[0] == "parse" ? .parse(dtype) : .format(dtype)
    default: return nil
    }
  }
}

extension TextSplit {
  fileprivate var words: [String] { [delimiter, limit.map(String.init) ?? ""] }

  fileprivate init?(words: [String]) {
    if words[1].isEmpty {
      self.init(delimiter: words[0], limit: nil)
    } else {
      guard let limit = Int(words[1]) else { return nil }
      self.init(delimiter: words[0], limit: limit)
    }
  }
}
