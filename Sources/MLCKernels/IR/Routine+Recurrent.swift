import MLCCore

extension Routine {
  package enum Direction: String, Hashable, Sendable {
    case forward, reverse, bidirectional
    package var count: Int { self == .bidirectional ? 2 : 1 }
  }

  package enum Activation: String, Hashable, Sendable {
    case sigmoid, tanh, relu, linear
    /// `min(max(0.2·x + 0.5, 0), 1)`
    case hardSigmoid = "hard_sigmoid"
  }

  /// The recurrent part of an LSTM or GRU with plain gates, sigmoid and tanh, or of a layer of one gate, all fp32, its
  /// recurrent weights constant.
  ///
  /// Parameters of an LSTM, with S steps, B of a batch, H hidden units, D directions: gates `[S, B, D·4H]` (x·W plus
  /// every bias) in the order i, o, f, c, R `[D, 4H, H]`, initial h and c `[D, B, H]`, then stored: Y `[S, D, B, H]`,
  /// Y_h and Y_c `[D, B, H]`. Of a GRU: gates `[S, B, D·3H]` in the order z, r, h (with every bias but the next), R
  /// `[D, 3H, H]`, the recurrent bias of the h gate `[D, H]`, initial h, then stored: Y, Y_h. Of one gate: gates
  /// `[S, B, D·H]`, R `[D, H, H]`, initial h, then stored: Y, Y_h. Behind them, where sequences have lengths of their
  /// own, these, int32 or int64 `[B]`: past its end a sequence's output is 0 and its state stays. Last comes memory to
  /// work in, `[D·B, memory]`.
  package struct PackedRecurrence: Hashable, Sendable {
    package var steps: Dim, batch: Dim, hidden: Int
    package var direction: Direction
    /// Which gate of R each gate of the routine is.
    package var order: [Int]
    package var hasLengths: Bool
    /// Bounds the cells of an LSTM to ±cellClip.
    package var cellClip: Double?

    /// Elements of memory that a row has: the state, the next one, and three values more for each unit.
    package static func memory(_ hidden: Int) -> Int { 5 * ((hidden + 15) / 16 * 16) }

    package init(
      steps: Dim,
      batch: Dim,
      hidden: Int,
      direction: Direction,
      order: [Int],
      hasLengths: Bool = false,
      cellClip: Double? = nil
    ) {
      (self.steps, self.batch, self.hidden, self.direction, self.order) = (steps, batch, hidden, direction, order)
      (self.hasLengths, self.cellClip) = (hasLengths, cellClip)
    }
  }

  /// The recurrent part of any `lstm`, `gru` or `rnn`, by MIL's definitions and gate orders.
  package struct Recurrence: Hashable, Sendable {
    package enum Cell: Hashable, Sendable {
      case lstm(gates: Activation, cell: Activation, output: Activation)
      case gru(gates: Activation, output: Activation, resetAfter: Bool)
      case rnn(Activation)

      /// How many values of the product each hidden unit has.
      package var gateCount: Int {
        switch self {
        case .lstm: 4
        case .gru: 3
        case .rnn: 1
        }
      }
    }

    /// Parameters by position.
    package struct Params: Hashable, Sendable {
      /// x·W and its bias, `[S·B, D·G·H]`, fp32, or fp64 for fp64 data.
      package var gates: Int
      /// `[G·H, H]`, and the peephole `[3·H]` or hidden bias `[H]`, of each direction.
      package var weights: [Int], vectors: [Int?]
      /// `[B, D·H]`; zeros where there is none.
      package var initialH: Int?, initialC: Int?
      /// int32 or int64 `[B]`.
      package var lengths: Int?
      /// Stored: all h, or the last where the sequence is not kept; the last h and c.
      package var y: Int, h: Int, c: Int?

      package init(gates: Int, weights: [Int], vectors: [Int?], y: Int, h: Int) {
        (self.gates, self.weights, self.vectors, self.y, self.h) = (gates, weights, vectors, y, h)
      }
    }

    package var cell: Cell
    package var steps: Dim, batch: Dim, hidden: Int
    package var direction: Direction
    package var keepsSequence: Bool
    /// Bounds the arguments of activations to ±clip.
    package var clip: Double?
    /// Bounds the cells of an LSTM to ±cellClip.
    package var cellClip: Double?
    package var params: Params

    package init(
      _ cell: Cell,
      steps: Dim,
      batch: Dim,
      hidden: Int,
      direction: Direction,
      keepsSequence: Bool,
      clip: Double?,
      cellClip: Double? = nil,
      params: Params
    ) {
      (self.cell, self.steps, self.batch, self.hidden, self.direction) = (cell, steps, batch, hidden, direction)
      (self.keepsSequence, self.clip, self.cellClip, self.params) = (keepsSequence, clip, cellClip, params)
    }
  }
}
