import MLCCore

/// One direction of a recurrent layer, in doubles; states are kept unrounded from step to step.
struct RecurrentDirection {
  var steps: Int, batch: Int, input: Int, hidden: Int, gates: Int
  /// `[gates·hidden, input]`, `[gates·hidden, hidden]`, `[gates·hidden]`.
  var weightIH: [Double], weightHH: [Double], bias: [Double]?
  /// The last step comes first.
  var reverse: Bool
  /// How many steps each sequence of the batch has; at later steps its states stay and its output is 0.
  var lengths: [Int]?

  /// New states `[batch, hidden]` from `x·weightIHᵀ + bias`, both `[batch, gates·hidden]`, `h·weightHHᵀ` and the
  /// states, h first.
  typealias Step = (_ projected: ArraySlice<Double>, _ recurrent: [Double], _ states: [[Double]]) -> [[Double]]

  /// Outputs `[steps, batch, hidden]`; `states` end as after the last step.
  func run(_ x: [Double], _ states: inout [[Double]], step: Step) -> [Double] {
    let width = gates * hidden
    var projected = Contraction.transposed(x, weightIH, rows: steps * batch, columns: width, depth: input)
    if let bias { for i in projected.indices { projected[i] += bias[i % width] } }
    var y = [Double](repeating: 0, count: steps * batch * hidden)
    for index in 0..<steps {
      let time = reverse ? steps - 1 - index : index
      let recurrent = product(states[0], rows: 0..<width)
      let next = step(projected[time * batch * width..<(time + 1) * batch * width], recurrent, states)
      for sequence in 0..<batch where lengths.map({ time < $0[sequence] }) ?? true {
        let row = sequence * hidden..<(sequence + 1) * hidden
        for state in states.indices { states[state].replaceSubrange(row, with: next[state][row]) }
        y.replaceSubrange(
          (time * batch + sequence) * hidden..<(time * batch + sequence + 1) * hidden,
          with: next[0][row]
        )
      }
    }
    return y
  }

  /// `h · weightHH[rows]ᵀ`, `[batch, rows.count]`.
  func product(_ h: [Double], rows: Range<Int>) -> [Double] {
    let weight =
      rows.count == gates * hidden ? weightHH : Array(weightHH[rows.lowerBound * hidden..<rows.upperBound * hidden])
    return Contraction.transposed(h, weight, rows: batch, columns: rows.count, depth: hidden)
  }
}

/// The functions that gates of recurrent layers apply.
enum RecurrentActivation: String {
  case sigmoid, tanh, relu, linear
  /// `min(max(0.2·x + 0.5, 0), 1)`
  case hardSigmoid = "hard_sigmoid"

  func callAsFunction(_ x: Double) -> Double {
    switch self {
    case .sigmoid: 1 / (1 + exponential(-x))
    case .tanh: hyperbolicTangent(x)
    case .relu: x < 0 ? 0 : x
    case .linear: x
    case .hardSigmoid: x.isNaN ? x : min(max(0.2 * x + 0.5, 0), 1)
    }
  }
}
