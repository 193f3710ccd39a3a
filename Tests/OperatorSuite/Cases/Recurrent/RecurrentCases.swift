import MLCCore
import MLCGraph
import MLCOps

extension OperatorCase {
  /// One unit over the sequence 1, −2, ½; expectations follow the formulas in scalars.
  static let recurrentCases: [OperatorCase] = [
    OperatorCase(
      "lstm.peephole",
      LSTM().setting(\.outputSequence, true),
      [
        [sequence], [], [], column([0.5, -0.3, 0.8, 0.2]), column([0.1, 0.4, -0.2, 0.6]), row([0.05, 0.1, -0.1, 0.2]),
        row([0.3, -0.2, 0.4]), [], [], [], [], [],
      ],
      expected: [
        Tensor(.float32, [3, 1, 1], [0.16291459264758368, 0.020560989286478194, 0.14078792109196672]),
        Tensor(.float32, [1, 1], [0.14078792109196672]), Tensor(.float32, [1, 1], [0.2404415516966184]),
      ]
    ),
    OperatorCase(
      "lstm.cell-clip",
      LSTM().setting(\.cellClip, 0.25),
      [
        [sequence], [state(0)], [state(2)], column([0, 0, 0, 0]), column([0, 0, 0, 0]), row([0, 30, 30, 0]),
        [], [], [], [], [], [],
      ],
      expected: [
        Tensor(.float32, [1, 1, 1], [0.24491866240370913]), Tensor(.float32, [1, 1], [0.24491866240370913]),
        Tensor(.float32, [1, 1], [0.25]),
      ]
    ),
    OperatorCase(
      "lstm.sequence-lens-keep-states",
      LSTM().setting(\.outputSequence, true),
      [
        [sequence], [state(0.25)], [state(2)], column([0.5, -0.3, 0.8, 0.2]),
        column([0.1, 0.4, -0.2, 0.6]), [], [], [], [], [], [], [Tensor(.int32, [1], [0])],
      ],
      expected: [
        Tensor(.float32, [3, 1, 1], [0.0, 0, 0]), Tensor(.float32, [1, 1], [0.25]), Tensor(.float32, [1, 1], [2.0]),
      ]
    ),
    OperatorCase(
      "gru.plain",
      GRU().setting(\.outputSequence, true),
      [
        [sequence], [state(0.5)], column([0.5, -0.3, 0.8]), column([0.1, 0.4, -0.2]), row([0.05, 0.1, -0.1]),
        [], [], [], [], [], [],
      ],
      expected: [
        Tensor(.float32, [3, 1, 1], [0.2977582186336544, 0.5773434474887165, 0.35413579522747296]),
        Tensor(.float32, [1, 1], [0.35413579522747296]),
      ]
    ),
    OperatorCase(
      "gru.reset-after",
      GRU().setting(\.resetAfter, true),
      [
        [sequence], [state(0.5)], column([0.5, -0.3, 0.8]), column([0.1, 0.4, -0.2]), row([0.05, 0.1, -0.1]),
        row([0.25]), [], [], [], [], [],
      ],
      expected: [
        Tensor(.float32, [1, 1, 1], [0.4492051842194352]), Tensor(.float32, [1, 1], [0.4492051842194352]),
      ]
    ),
    OperatorCase(
      "rnn.bidirectional",
      RNN().setting(\.direction, "bidirectional").setting(\.outputSequence, true),
      [[sequence], [], column([0.5]), column([-0.3]), row([0.1]), column([0.8]), column([0.2]), [], []],
      expected: [
        Tensor(
          .float32,
          [3, 1, 2],
          [
            0.5370495669980352, 0.5498185489556487, -0.7860901822262574, -0.9093939704086875, 0.5268877472251215,
            0.3799489622552249,
          ]
        ),
        Tensor(.float32, [1, 2], [0.5268877472251215, 0.5498185489556487]),
      ]
    ),
  ]

  private static let sequence = Tensor(.float32, [3, 1, 1], [1.0, -2, 0.5])
  private static func state(_ value: Double) -> Tensor { Tensor(.float32, [1, 1], [value]) }
  private static func column(_ values: [Double]) -> [Tensor] { [Tensor(.float32, [values.count, 1], values)] }
  private static func row(_ values: [Double]) -> [Tensor] { [Tensor(.float32, [values.count], values)] }
}

extension Operator {
  /// A copy with one property changed.
  func setting<T>(_ path: WritableKeyPath<Self, T>, _ value: T) -> Self {
    var copy = self
    copy[keyPath: path] = value
    return copy
  }
}
