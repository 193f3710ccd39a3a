extension Sequence where Element: Hashable {
  /// The first element that equals one before it.
  package var firstRepeated: Element? {
    var seen: Set<Element> = []
    return first { !seen.insert($0).inserted }
  }
}
