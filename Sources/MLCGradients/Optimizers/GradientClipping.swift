import MLCCore
import MLCGraph
import MLCOps

extension GraphWriter {
  /// Gradients scaled together so that their norm is at most c: `g · c / max(‖g‖, c)`, ‖g‖ being the root of the sum of
  /// the squares of all their elements. Source: Pascanu, Mikolov, Bengio, "On the difficulty of training recurrent
  /// neural networks", ICML 2013; TensorFlow `clip_by_global_norm`.
  mutating func clipped(_ gradients: [ValueID], norm c: Formula) throws(Diagnostic) -> [ValueID] {
    if gradients.isEmpty { return [] }
    var squares: [ValueID] = []
    for gradient in gradients { squares.append(try apply(ReduceSumSquare(), gradient)) }
    let norm = Formula.value(try sum(squares)).root
    let factor = Formula.value(try value(c / .result(Maximum(), [norm, c])))
    var scaled: [ValueID] = []
    for gradient in gradients { scaled.append(try value(.value(gradient) * factor)) }
    return scaled
  }
}
