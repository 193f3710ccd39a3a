import MLCCore

/// One thing that is done to a weight.
package enum CompressionStep: Sendable, Hashable {
  case prune(Pruning)
  case palettize(Palettization)
  case quantize(LinearQuantization)
  /// Kept in float16.
  case half
}

/// What share of a tensor has a palette, or a scale, of its own.
package enum Granularity: Sendable, Hashable {
  case tensor
  /// Each output channel.
  case channel
  /// Every `n` output channels together.
  case groups(Int)
  /// Every `n` input channels of each output channel.
  case block(Int)
  /// A block extent for each axis; 0 is the whole axis.
  case blocks([Int])
}

/// Zeros in place of the elements of least magnitude.
package enum Pruning: Sendable, Hashable {
  /// This share of the elements becomes zero, 0…1.
  case sparsity(Double)
  /// Elements of at most this magnitude, where at least `least` of all are.
  case threshold(Double, least: Double)
}

/// Indices into a small table of values.
package struct Palettization: Sendable, Hashable {
  package enum Mode: String, Sendable, CaseIterable {
    /// The table with the least squared error.
    case kmeans
    /// Values at equal distances from the least to the greatest.
    case uniform
    /// The values that there are, when they are few.
    case unique
  }
  /// 1, 2, 3, 4, 6 or 8; `nil` for `unique`, which takes as few as it needs.
  package var bits: Int?
  package var mode = Mode.kmeans
  package var granularity = Granularity.tensor
  /// The axis of groups; the output channels when `nil`.
  package var axis: Int?
  /// Whether each output channel is scaled to the same magnitude first.
  package var scalesChannels = false

  package static let widths = [1, 2, 3, 4, 6, 8]
  package init(bits: Int?) { self.bits = bits }
}

/// Integers with a scale, and perhaps a zero point, `(q − zero) · scale`.
package struct LinearQuantization: Sendable, Hashable {
  /// int8, uint8, int4 or uint4.
  package var dtype = DType.int8
  /// Whether the numbers lie evenly about 0, so that signed ones need no zero point.
  package var isSymmetric = true
  package var granularity = Granularity.channel

  package static let types: [DType] = [.int8, .uint8, .int4, .uint4]
  package init(_ dtype: DType = .int8) { self.dtype = dtype }
}
