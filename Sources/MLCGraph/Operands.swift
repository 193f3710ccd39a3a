import MLCCore

/// The arguments of one operation, read by the names its schema gives them.
package struct Operands<Element: Sendable>: Sendable {
  private let names: [String]
  private let elements: [[Element]]
  /// Unique within the program; names fresh symbolic sizes.
  package let label: String
  /// For operators with blocks: what each block yields.
  package let blocks: [[Element]]

  package init(_ names: [String], _ elements: [[Element]], label: String = "op", blocks: [[Element]] = []) {
    (self.names, self.elements, self.label, self.blocks) = (names, elements, label, blocks)
  }

  /// A required argument. The schema check ran before, so it is there.
  package subscript(name: String) -> Element { self[all: name][0] }
  package subscript(optional name: String) -> Element? { self[all: name].first }
  /// Every argument of a variadic port.
  package subscript(all name: String) -> [Element] {
    guard let index = names.firstIndex(of: name) else { preconditionFailure("no port named '\(name)'") }
    return index < elements.count ? elements[index] : []
  }

  package func map<T: Sendable>(_ transform: (Element) -> T) -> Operands<T> {
    Operands<T>(
      names,
      elements.map { $0.map(transform) },
      label: label,
      blocks: blocks.map { $0.map(transform) }
    )
  }
}

extension Operands<Fact> {
  /// A symbolic size that nothing else equals: one that depends on data.
  package func fresh(_ suffix: String) -> Dim { .symbol("\(label).\(suffix)") }
}
