import MLCCore
import MLCGraph

/// Recurrent layer of one gate: `h′ = τ(x·weight_ihᵀ + h·weight_hhᵀ + bias)`, τ being `activation`.
///
/// `clip` (mlc extension) bounds the argument of τ to ±clip. Outputs y, h. Shapes and directions: `RecurrentLayer`.
/// Source: MIL `rnn`, ONNX `RNN`.
package struct RNN: RecurrentLayer {
  package var direction = "forward"
  package var outputSequence = false
  package var activation = "tanh"
  package var clip: Double?

  package static let schema = Schema<RNN>(
    "rnn",
    [
      .input("x", rank: 3...3),
      .input("initial_h", rank: 2...2, optional: true),
      .input("weight_ih", rank: 2...2),
      .input("weight_hh", rank: 2...2),
      .input("bias", rank: 1...1, optional: true),
      .input("weight_ih_back", rank: 2...2, optional: true),
      .input("weight_hh_back", rank: 2...2, optional: true),
      .input("bias_back", rank: 1...1, optional: true),
      .input("sequence_lens", rank: 1...1, optional: true),
      .attribute("direction", \.direction),
      .attribute("output_sequence", \.outputSequence),
      .attribute("activation", \.activation),
      .attribute("clip", \.clip),
      .output("y"),
      .output("h"),
    ]
  )
  package static let gates = 1
  package static let initialStates = ["initial_h"]
  package static let vectors: [(name: String, multiple: Int)] = []

  package init() {}

  package var activations: [String] { [activation] }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (tau, limit) = (RecurrentActivation(rawValue: activation), clip ?? .infinity)
    func bounded(_ x: Double) -> Double { x > limit ? limit : x < -limit ? -limit : x }
    return try run(inputs) { _, _ in
      { projected, recurrent, _ in [zip(projected, recurrent).map { tau!(bounded($0 + $1)) }] }
    }
  }
}
