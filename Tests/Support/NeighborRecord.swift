import Foundation

/// What a nearest-neighbour classifier allows, and what it answers as it learns (`neighbors.zip`).
package struct NeighborRecord: Decodable, Sendable {
  package let range: [Double]?, set: [Double]
  /// What the model takes: features of so many numbers, one after the other in a row.
  package let inputs: [Input]
  package let stages: [Stage]

  package struct Input: Decodable, Sendable {
    package let name: String, count: Int
  }

  package struct Stage: Decodable, Sendable {
    /// All rows so far; `samples` is what they are to the classifier, which others may stand before.
    package let rows: [Double], samples: [Double]
    package let classes: [Label], members: [Int], neighbors: Int
    package let cases: [Case]
  }

  package struct Case: Decodable, Sendable {
    package let x: [Double], label: Label, keys: [Label], values: [Double]
  }

  package enum Label: Decodable, Hashable, Sendable {
    case text(String)
    case number(Int)

    package init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        self = .text(text)
      } else {
        self = .number(try container.decode(Int.self))
      }
    }
  }

  package var width: Int { inputs.reduce(0) { $0 + $1.count } }

  /// The numbers of each input in a row.
  package func split(_ row: [Double]) -> [(name: String, numbers: [Double])] {
    var (start, parts) = (0, [(name: String, numbers: [Double])]())
    for input in inputs {
      parts.append((input.name, Array(row[start..<start + input.count])))
      start += input.count
    }
    return parts
  }
}
