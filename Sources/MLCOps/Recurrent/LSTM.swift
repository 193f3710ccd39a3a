import MLCCore
import MLCGraph

/// Long short-term memory. Gates in the order i, f, o, z; with a = x·weight_ihᵀ + h·weight_hhᵀ + bias cut in four and
/// `peephole: T[3·H]?` (i, f, o; zeros):
///
/// i = ρ(aᵢ + pᵢ·c), f = ρ(a_f + p_f·c), z = κ(a_z), c′ = f·c + i·z, o = ρ(aₒ + pₒ·c′), h′ = o·τ(c′), where ρ, κ, τ are
/// `recurrent_activation`, `cell_activation` and `activation`. `clip` bounds the arguments of ρ and κ to ±clip (in MIL
/// that of κ only), `cell_clip` (mlc extension) c′ itself. Outputs y, h, c. Shapes and directions: `RecurrentLayer`.
/// Source: MIL `lstm`, ONNX `LSTM`.
package struct LSTM: RecurrentLayer {
  package var direction = "forward"
  package var outputSequence = false
  package var recurrentActivation = "sigmoid", cellActivation = "tanh", activation = "tanh"
  package var clip: Double?
  package var cellClip: Double?

  package static let schema = Schema<LSTM>(
    "lstm",
    [
      .input("x", rank: 3...3),
      .input("initial_h", rank: 2...2, optional: true),
      .input("initial_c", rank: 2...2, optional: true),
      .input("weight_ih", rank: 2...2),
      .input("weight_hh", rank: 2...2),
      .input("bias", rank: 1...1, optional: true),
      .input("peephole", rank: 1...1, optional: true),
      .input("weight_ih_back", rank: 2...2, optional: true),
      .input("weight_hh_back", rank: 2...2, optional: true),
      .input("bias_back", rank: 1...1, optional: true),
      .input("peephole_back", rank: 1...1, optional: true),
      .input("sequence_lens", rank: 1...1, optional: true),
      .attribute("direction", \.direction),
      .attribute("output_sequence", \.outputSequence),
      .attribute("recurrent_activation", \.recurrentActivation),
      .attribute("cell_activation", \.cellActivation),
      .attribute("activation", \.activation),
      .attribute("clip", \.clip),
      .attribute("cell_clip", \.cellClip),
      .output("y"),
      .output("h"),
      .output("c"),
    ]
  )
  package static let gates = 4
  package static let initialStates = ["initial_h", "initial_c"]
  package static let vectors = [(name: "peephole", multiple: 3)]

  package init() {}

  package var activations: [String] { [recurrentActivation, cellActivation, activation] }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (rho, kappa) = (
      RecurrentActivation(rawValue: recurrentActivation), RecurrentActivation(rawValue: cellActivation)
    )
    let (limit, cellLimit) = (clip ?? .infinity, cellClip ?? .infinity)
    return try run(inputs) { pass, vectors in
      let (n, p) = (pass.hidden, vectors[0])
      func within(_ x: Double, _ limit: Double) -> Double { x > limit ? limit : x < -limit ? -limit : x }
      func bounded(_ x: Double) -> Double { within(x, limit) }
      return { projected, recurrent, states in
        var (h, c) = (states[0], states[1])
        for row in 0..<pass.batch {
          for j in 0..<n {
            func a(_ gate: Int) -> Double {
              let k = row * 4 * n + gate * n + j
              return projected[projected.startIndex + k] + recurrent[k]
            }
            let old = states[1][row * n + j]
            let i = rho!(bounded(a(0) + (p?[j] ?? 0) * old))
            let f = rho!(bounded(a(1) + (p?[n + j] ?? 0) * old))
            let new = within(f * old + i * kappa!(bounded(a(3))), cellLimit)
            let o = rho!(bounded(a(2) + (p?[2 * n + j] ?? 0) * new))
            c[row * n + j] = new
            h[row * n + j] = o * RecurrentActivation(rawValue: activation)!(new)
          }
        }
        return [h, c]
      }
    }
  }
}
