/// Changes words of a text: names, numbers and single marks.
package struct WordMutator: Mutator {
  /// Words to put in besides those that the text has.
  private let dictionary: [String]

  package init(dictionary: [String] = []) { self.dictionary = dictionary }

  package func mutated(_ bytes: [UInt8], _ random: inout Random) -> [UInt8]? {
    var words = Self.words(bytes)
    guard !words.isEmpty else { return nil }
    for _ in 0...random.below(3) where !words.isEmpty {
      let place = random.below(words.count)
      switch random.below(8) {
      case 0: words.rearrange(&random)
      case 1: words[place] = mutatedBytes(words[place])
      case 2: words[place] = Array("\(random.integer())".utf8)
      case 3: words.insert(words[random.below(words.count)], at: place)
      case 4:
        let end = min(words.count, place + 1 + random.below(12))
        words.insert(contentsOf: words[place..<end], at: random.below(words.count))
      case 5 where !dictionary.isEmpty: words[place] = Array(dictionary[random.below(dictionary.count)].utf8)
      default: words[place] = words[random.below(words.count)]
      }
    }
    return words.flatMap { $0 }
  }

  private static func words(_ bytes: [UInt8]) -> [[UInt8]] {
    var words: [[UInt8]] = []
    var grows = false
    for byte in bytes {
      let isPart =
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 48...57, 46, 95: true
        default: false
        }
      if isPart, grows { words[words.count - 1].append(byte) } else { words.append([byte]) }
      grows = isPart
    }
    return words
  }
}
