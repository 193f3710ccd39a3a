import MLCCore
import MLCGraph

/// Gated recurrent unit. Gates in the order r, o, z; with a = x·weight_ihᵀ + bias and w = h·weight_hhᵀ cut in three:
///
/// r = ρ(aᵣ + wᵣ), z = ρ(a_z + w_z), o = τ(aₒ + (r·h)·weight_hhₒᵀ), h′ = (1 − z)·o + z·h, where ρ and τ are
/// `recurrent_activation` and `activation`. With `reset_after` (mlc extension) o = τ(aₒ + r·(wₒ + hidden_bias)), where
/// `hidden_bias: T[H]?` is zeros when absent; `bias` holds all other biases. `clip` (mlc extension) bounds the
/// arguments of ρ and τ to ±clip. Outputs y, h. Shapes and directions: `RecurrentLayer`. Source: MIL `gru`, ONNX `GRU`.
package struct GRU: RecurrentLayer {
  package var direction = "forward"
  package var outputSequence = false
  package var recurrentActivation = "sigmoid", activation = "tanh"
  package var resetAfter = false
  package var clip: Double?

  package static let schema = Schema<GRU>(
    "gru",
    [
      .input("x", rank: 3...3),
      .input("initial_h", rank: 2...2, optional: true),
      .input("weight_ih", rank: 2...2),
      .input("weight_hh", rank: 2...2),
      .input("bias", rank: 1...1, optional: true),
      .input("hidden_bias", rank: 1...1, optional: true),
      .input("weight_ih_back", rank: 2...2, optional: true),
      .input("weight_hh_back", rank: 2...2, optional: true),
      .input("bias_back", rank: 1...1, optional: true),
      .input("hidden_bias_back", rank: 1...1, optional: true),
      .input("sequence_lens", rank: 1...1, optional: true),
      .attribute("direction", \.direction),
      .attribute("output_sequence", \.outputSequence),
      .attribute("recurrent_activation", \.recurrentActivation),
      .attribute("activation", \.activation),
      .attribute("reset_after", \.resetAfter),
      .attribute("clip", \.clip),
      .output("y"),
      .output("h"),
    ]
  )
  package static let gates = 3
  package static let initialStates = ["initial_h"]
  package static let vectors = [(name: "hidden_bias", multiple: 1)]

  package init() {}

  package var activations: [String] { [recurrentActivation, activation] }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (rho, tau) = (RecurrentActivation(rawValue: recurrentActivation), RecurrentActivation(rawValue: activation))
    let limit = clip ?? .infinity
    func bounded(_ x: Double) -> Double { x > limit ? limit : x < -limit ? -limit : x }
    return try run(inputs) { pass, vectors in
      let (n, hiddenBias) = (pass.hidden, vectors[0])
      return { projected, recurrent, states in
        let h = states[0]
        func a(_ row: Int, _ gate: Int, _ j: Int) -> Double {
          projected[projected.startIndex + row * 3 * n + gate * n + j]
        }
        func w(_ row: Int, _ gate: Int, _ j: Int) -> Double { recurrent[row * 3 * n + gate * n + j] }
        let r = h.indices.map { rho!(bounded(a($0 / n, 0, $0 % n) + w($0 / n, 0, $0 % n))) }
        let inner =
          resetAfter
          ? h.indices.map { r[$0] * (w($0 / n, 1, $0 % n) + (hiddenBias?[$0 % n] ?? 0)) }
          : pass.product(h.indices.map { r[$0] * h[$0] }, rows: n..<2 * n)
        return [
          h.indices.map { index in
            let (row, j) = (index / n, index % n)
            let z = rho!(bounded(a(row, 2, j) + w(row, 2, j)))
            return (1 - z) * tau!(bounded(a(row, 1, j) + inner[index])) + z * h[index]
          }
        ]
      }
    }
  }
}
