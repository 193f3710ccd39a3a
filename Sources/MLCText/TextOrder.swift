/// The order of texts: that of the bytes of their UTF-8, and so of their code points.
package enum TextOrder {
  /// How many different ones of `texts` come before each of them.
  package static func ranks(_ texts: [String]) -> [Int] {
    let order = texts.indices.sorted { texts[$0].utf8.lexicographicallyPrecedes(texts[$1].utf8) }
    var ranks = [Int](repeating: 0, count: texts.count)
    for (before, index) in zip(order, order.dropFirst()) {
      ranks[index] = ranks[before] + (texts[before].utf8.elementsEqual(texts[index].utf8) ? 0 : 1)
    }
    return ranks
  }
}
