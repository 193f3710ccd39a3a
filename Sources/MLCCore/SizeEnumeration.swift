/// Sizes that a model takes in certain combinations only.
///
/// With the symbols `h`, `w` and the choices `[224, 224]`, `[320, 320]` an input of `[1, 3, h, w]` comes in two shapes.
/// Source: Core ML `ArrayFeatureType.EnumeratedShapes`.
package struct SizeEnumeration: Hashable, Sendable, CustomStringConvertible {
  package let symbols: [String]
  /// A number for each symbol, the model's default first.
  package let choices: [[Int]]

  /// `nil` unless every choice has a number that is not negative for each of the symbols, which differ.
  package init?(_ symbols: [String], choices: [[Int]]) {
    guard !symbols.isEmpty, Set(symbols).count == symbols.count, !choices.isEmpty,
      choices.allSatisfy({ $0.count == symbols.count && $0.allSatisfy { $0 >= 0 } })
    else { return nil }
    (self.symbols, self.choices) = (symbols, choices)
  }

  /// Whether none of its symbols is in `others`.
  package func isDisjoint(with others: [SizeEnumeration]) -> Bool {
    others.allSatisfy { Set($0.symbols).isDisjoint(with: symbols) }
  }

  /// `h × w: 224 × 224 or 320 × 320`
  package var description: String { "\(symbols.joined(separator: " × ")): \(spelledChoices)" }
  /// `192 × 192, 224 × 224 or 320 × 320`
  package var spelledChoices: String {
    let all = choices.map { $0.map(String.init).joined(separator: " × ") }
    return all.count > 1 ? "\(all.dropLast().joined(separator: ", ")) or \(all[all.count - 1])" : all[0]
  }
}
