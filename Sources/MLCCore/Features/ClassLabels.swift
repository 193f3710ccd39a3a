/// The names of a classifier's classes, in the order of its scores: all texts or all integers.
package enum ClassLabels: Hashable, Codable, Sendable {
  case strings([String])
  case integers([Int64])

  /// The strings or integers that the tensor holds.
  package init(_ tensor: Tensor) {
    self = tensor.dtype == .string ? .strings(tensor.strings) : .integers(tensor.integers.map { Int64($0) })
  }

  package var count: Int {
    switch self {
    case .strings(let labels): labels.count
    case .integers(let labels): labels.count
    }
  }

  /// `K[count]`, of strings or of int64.
  package var tensor: Tensor {
    switch self {
    case .strings(let labels): Tensor([labels.count], strings: labels)
    case .integers(let labels): Tensor(.int64, [labels.count], labels.map { Int($0) })
    }
  }

  package var dtype: DType { if case .strings = self { .string } else { .int64 } }

  /// As people read them.
  package var texts: [String] {
    switch self {
    case .strings(let labels): labels
    case .integers(let labels): labels.map { "\($0)" }
    }
  }
}
