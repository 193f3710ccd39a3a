import MLCCore

/// What a nearest-neighbour classifier compares with, as `Learning.Neighbors` says, while samples are added.
package struct NeighborSamples: Sendable {
  private let neighbors: Learning.Neighbors
  private var rows: [Float]
  private var labels: [Label]

  /// Classes stand in rising order: texts by their bytes.
  private enum Label: Hashable, Comparable {
    case number(Int)
    case text([UInt8])

    static func < (a: Label, b: Label) -> Bool {
      switch (a, b) {
      case (.number(let a), .number(let b)): a < b
      case (.text(let a), .text(let b)): a.lexicographicallyPrecedes(b)
      case (.number, .text): true
      case (.text, .number): false
      }
    }

    var number: Int { if case .number(let number) = self { number } else { 0 } }
    var text: String { if case .text(let text) = self { String(decoding: text, as: UTF8.self) } else { "" } }
  }

  /// Of the parameters by name; `nil` where they are not what such a model has.
  package init?(_ neighbors: Learning.Neighbors, _ parameters: [String: Tensor]) {
    guard let samples = parameters[Learning.Neighbors.samples], let classes = parameters[Learning.Neighbors.classes],
      let members = parameters[Learning.Neighbors.members]
    else { return nil }
    self.neighbors = neighbors
    rows = samples.floats
    let known: [Label] =
      neighbors.isText ? classes.strings.map { .text(Array($0.utf8)) } : classes.integers.map { .number($0) }
    labels = members.integers.compactMap { known.indices.contains($0) ? known[$0] : nil }
    guard rows.count == labels.count * neighbors.columns else { return nil }
  }

  package var count: Int { labels.count }

  /// Adds a row with its label, a tensor of one element; `false`, with nothing done, for one that is not finite.
  package mutating func add(_ row: [Float], _ label: Tensor) -> Bool {
    guard row.count == neighbors.columns, row.allSatisfy({ $0.isFinite }) else { return false }
    rows += row
    labels.append(neighbors.isText ? .text(Array(label.strings[0].utf8)) : .number(label.integers[0]))
    return true
  }

  /// By the names of parameters.
  package var learnt: [String: Tensor] {
    let classes = Set(labels).sorted()
    let places = Dictionary(uniqueKeysWithValues: classes.enumerated().map { ($1, $0) })
    let names =
      neighbors.isText
      ? Tensor([classes.count], strings: classes.map { $0.text })
      : Tensor(.int64, [classes.count], classes.map { $0.number })
    return [
      Learning.Neighbors.samples: Tensor([labels.count, neighbors.columns], floats: rows),
      Learning.Neighbors.classes: names,
      Learning.Neighbors.members: Tensor(.int32, [labels.count], labels.map { places[$0] ?? 0 }),
    ]
  }
}
