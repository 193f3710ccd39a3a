import Foundation

/// Examples of a network that is updated, and what it learns by them, as numpy says (`updatable.zip`).
package struct UpdateRecord: Decodable, Sendable {
  package let shape: [Int], target: String
  package let examples: [[Double]], targets: [Target]
  /// The mean of each epoch.
  package let losses: [Double]
  /// Of each layer its weights and its biases, after all epochs.
  package let weights: [String: [[Double]]]

  package enum Target: Decodable, Sendable {
    case label(String)
    case number(Double)
    case numbers([Double])

    package init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let label = try? container.decode(String.self) {
        self = .label(label)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .numbers(try container.decode([Double].self))
      }
    }
  }
}
