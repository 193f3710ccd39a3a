import Glibc
import MLCCore
import MLCGradients
import MLCGraph
import MLCOps
import Testing

/// Steps of training beside plain arithmetic in double.
@Suite struct TrainingStepTests {
  private static let batch = 5, steps = 25
  /// Each step rounds to float32 what the next begins with.
  private static let tolerance = 1e-5

  /// Losses of the function and of `update`, which changes weights by gradients, are equal at each step.
  private func compare(
    _ optimizer: any Optimizer,
    clips: Bool = false,
    _ settings: [Double],
    _ update: (inout [[Double]], [[Double]], Int) -> Void
  ) throws {
    var draw = Draw(seed: 17)
    var network = Perceptron(inputs: 4, hidden: 6, classes: 3, &draw)
    var options = TrainingStep.Options(CategoricalCrossEntropy(.probabilities, targets: .classes), optimizer)
    options.clips = clips
    let names = Set(Perceptron.names)
    var trainer = try Trainer(TrainingStep(network.function(batch: Self.batch), parameters: names, options))
    #expect(trainer.step.expanded == [])
    var losses: [Double] = []
    for step in 1...Self.steps {
      let x = draw.reals([Self.batch, 4]).converted(to: .float32)
      let labels = draw.integers([Self.batch], 0...2)
      let (loss, gradients) = network.loss(x.doubles, labels.integers)
      let ours = try trainer.run([x, labels], settings)
      #expect(abs(ours - loss) <= Self.tolerance * max(1, loss), "step \(step): \(ours), expected \(loss)")
      update(&network.weights, gradients, step)
      losses.append(loss)
    }
    #expect(Set(losses).count == Self.steps)
  }

  @Test func plainDescent() throws {
    try compare(SGD(momentum: false), [0.3]) { weights, gradients, _ in
      for (w, g) in zip(weights.indices, gradients) {
        for i in g.indices { weights[w][i] -= 0.3 * g[i] }
      }
    }
  }

  @Test(arguments: [WeightDecay.none, .gradient, .decoupled]) func momentum(_ decay: WeightDecay) throws {
    let (rate, momentum, lambda) = (0.1, 0.9, 0.05)
    var velocity: [[Double]] = []
    let settings = [rate, momentum] + (decay == .none ? [] : [lambda])
    try compare(SGD(momentum: true, decay: decay), settings) { weights, gradients, _ in
      if velocity.isEmpty { velocity = gradients.map { $0.map { _ in 0 } } }
      for (w, g) in zip(weights.indices, gradients) {
        for i in g.indices {
          let pull = lambda * weights[w][i]
          velocity[w][i] = momentum * velocity[w][i] + g[i] + (decay == .gradient ? pull : 0)
          weights[w][i] -= rate * (velocity[w][i] + (decay == .decoupled ? pull : 0))
        }
      }
    }
  }

  /// An ε so large that it matters what it is added to.
  @Test(arguments: WeightDecay.allCases, Adam.Epsilon.allCases)
  func adam(_ decay: WeightDecay, _ place: Adam.Epsilon) throws {
    let (rate, beta1, beta2, epsilon, lambda) = (0.05, 0.8, 0.95, 1e-2, 0.1)
    var (m, v): ([[Double]], [[Double]]) = ([], [])
    let settings = [rate, beta1, beta2, epsilon] + (decay == .none ? [] : [lambda])
    try compare(Adam(decay: decay, epsilon: place), settings) { weights, gradients, step in
      if m.isEmpty { (m, v) = (gradients.map { $0.map { _ in 0 } }, gradients.map { $0.map { _ in 0 } }) }
      for (w, raw) in zip(weights.indices, gradients) {
        for i in raw.indices {
          let pull = lambda * weights[w][i]
          let g = raw[i] + (decay == .gradient ? pull : 0)
          if decay == .decoupled { weights[w][i] -= rate * pull }
          m[w][i] = beta1 * m[w][i] + (1 - beta1) * g
          v[w][i] = beta2 * v[w][i] + (1 - beta2) * g * g
          let mean = m[w][i] / (1 - pow(beta1, Double(step)))
          let scale = (1 - pow(beta2, Double(step))).squareRoot()
          let root = v[w][i].squareRoot()
          weights[w][i] -= rate * mean / (place == .raw ? (root + epsilon) / scale : root / scale + epsilon)
        }
      }
    }
  }

  @Test(arguments: [0.05, 100]) func clipping(_ limit: Double) throws {
    try compare(SGD(momentum: false), clips: true, [0.3, limit]) { weights, gradients, _ in
      let norm = gradients.joined().reduce(0) { $0 + $1 * $1 }.squareRoot()
      for (w, g) in zip(weights.indices, gradients) {
        for i in g.indices { weights[w][i] -= 0.3 * g[i] * limit / max(norm, limit) }
      }
    }
  }
}
