import MLCCore
import MLCText

/// Work whose shape depends on data, or a recurrence: a function of its own over plain parameters, known by position.
package enum Routine: Hashable, Sendable {
  case cumulation(Cumulation)
  /// x `[count]` byte for byte; stored is y `[count]`, of another type as wide.
  case bitCast(count: Dim)
  /// x `[count]`, a byte an element; stored is y `[count]`, the same numbers in fewer than eight bits, the first in the
  /// lowest bits and 0 past the last.
  case pack(count: Dim)
  /// Where x `[count]` is not 0. Stored are int64 positions `[count]`, of which the first n count, and n, int64 `[1]`.
  case nonZero(count: Dim)
  case topK(TopK)
  case suppression(Suppression)
  /// The first counts[l] of each line l of kept `[batches·classes, limit]`. Stored are rows of batch, class and the
  /// element, int64 `[batches·classes·limit, 3]`, of which the first n count, and n, int64 `[1]`.
  case listing(batches: Dim, classes: Dim, limit: Dim)
  case scatter(Scatter)
  case packedLSTM(PackedRecurrence)
  /// ĥ is `tanh(x + (r·h)·Rᵀ + bias)`, or with `linearBeforeReset` `tanh(x + r·(h·Rᵀ + bias))`.
  case packedGRU(PackedRecurrence, linearBeforeReset: Bool)
  /// h is the activation of `x + h·Rᵀ`.
  case packedRNN(PackedRecurrence, Activation)
  case recurrence(Recurrence)
  case trees(Trees)
  case text(Text)

  package var name: String {
    switch self {
    case .cumulation(let cumulation): cumulation.kind.rawValue
    case .bitCast: "bit_cast"
    case .pack: "pack"
    case .nonZero: "non_zero"
    case .topK: "topk"
    case .suppression: "non_max_suppression"
    case .listing: "listing"
    case .scatter: "scatter"
    case .packedLSTM: "lstm"
    case .packedGRU: "gru"
    case .packedRNN: "rnn"
    case .recurrence: "recurrence"
    case .trees: "tree_ensemble"
    case .text(let text): "text_\(text.operation.words[0])"
    }
  }

  /// The parameter that may be kept as codes, which the routine expands itself.
  package var codes: Int? {
    switch self {
    case .packedLSTM, .packedGRU, .packedRNN: 1
    case .cumulation, .bitCast, .pack, .nonZero, .topK, .suppression, .listing, .scatter, .recurrence, .trees, .text:
      nil
    }
  }

  /// A tensor as lines along one axis: `[outer, length, inner]`.
  package struct Lines: Hashable, Sendable {
    package var outer, length, inner: Dim

    package init(_ shape: [Dim], axis: Int) {
      outer = shape[..<axis].reduce(1, *)
      length = shape[axis]
      inner = shape[(axis + 1)...].reduce(1, *)
    }

    package init(outer: Dim, length: Dim, inner: Dim) {
      (self.outer, self.length, self.inner) = (outer, length, inner)
    }

    package func extents(_ length: Dim) -> [Dim] { [outer, length, inner] }
    package var extents: [Dim] { extents(length) }
  }

  /// Running sums or products along the lines of x, stored in a tensor of its shape. Floats combine in double and each
  /// result rounds once.
  package struct Cumulation: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
      case sum = "cumsum"
      case product = "cumprod"
    }
    package var kind: Kind
    package var lines: Lines
    package var exclusive: Bool, reverse: Bool

    package init(_ kind: Kind, _ lines: Lines, exclusive: Bool, reverse: Bool) {
      (self.kind, self.lines, self.exclusive, self.reverse) = (kind, lines, exclusive, reverse)
    }
  }

  /// Updates to rows of y `[rows, length]`, read and written, in order: int64 positions `[updates]` among the rows, and
  /// `[updates, length]` elements. A position outside is a fault.
  package struct Scatter: Hashable, Sendable {
    /// How an update and the element combine.
    package enum Mode: String, Hashable, Sendable { case update, add, sub, mul, div, max, min }
    package var rows: Dim, length: Dim, updates: Dim
    package var mode: Mode

    package init(rows: Dim, length: Dim, updates: Dim, mode: Mode) {
      (self.rows, self.length, self.updates, self.mode) = (rows, length, updates, mode)
    }
  }
}
