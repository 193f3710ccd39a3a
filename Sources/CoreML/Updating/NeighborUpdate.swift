import Foundation
import MLCCore
import MLCRuntime

/// Samples that are added to those of a nearest-neighbour classifier, as `Learning.Neighbors` says.
struct NeighborUpdate {
  private let neighbors: Learning.Neighbors
  private let features: MLCRuntime.Model
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

  /// Throws what loading throws.
  init(_ neighbors: Learning.Neighbors, _ learnt: LearntParameters, _ configuration: MLModelConfiguration) throws {
    self.neighbors = neighbors
    features = try learnt.function(Learning.features, configuration)
    guard let samples = learnt[Learning.Neighbors.samples], let classes = learnt[Learning.Neighbors.classes],
      let members = learnt[Learning.Neighbors.members]
    else { throw MLModelError(.io, "the package does not hold what it learns") }
    rows = samples.floats
    let known: [Label] =
      neighbors.isText ? classes.strings.map { .text(Array($0.utf8)) } : classes.integers.map { .number($0) }
    labels = members.integers.compactMap { known.indices.contains($0) ? known[$0] : nil }
    guard rows.count == labels.count * neighbors.columns else {
      throw MLModelError(.io, "the package has \(labels.count) labels for its samples, whose numbers do not fit")
    }
  }

  /// Adds an example: inputs of the model, then the label. Throws `MLModelError.update` for one that has no finite row,
  /// and `featureType` for one that does not fit.
  mutating func add(_ example: [Tensor], _ number: Int) throws {
    let inputs = Array(example.dropLast())
    let results = try TrainingExamples.reporting(number) { () throws(Diagnostic) in try features.predict(inputs) }
    let row = results[0].floats
    guard row.count == neighbors.columns, row.allSatisfy({ $0.isFinite }) else {
      throw MLModelError(.update, "example \(number) has features that are no finite numbers")
    }
    let label = example[example.count - 1]
    rows += row
    labels.append(neighbors.isText ? .text(Array(label.strings[0].utf8)) : .number(label.integers[0]))
  }

  /// By the names of parameters.
  var learnt: [String: Tensor] {
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
