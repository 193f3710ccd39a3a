import MLCCore
import MLCGradients
import MLCGraph
import MLCOps
import Testing

/// Normalisation by the statistics of the batch beside plain arithmetic.
@Suite struct BatchStatisticsTests {
  private static let shape = [3, 2, 2], channels = 2, epsilon = 0.01
  private static let names = ["w", "gamma", "beta"]

  private func function() throws(Diagnostic) -> Function {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, Self.shape))
    let w = builder.constant(Tensor(.float32, [2, 1], [0.5, -1.5]), name: "w")
    let vectors = [("mean", [0.25, -0.5]), ("variance", [1, 2]), ("gamma", [1.5, 0.75]), ("beta", [0.5, -0.25])]
    let values = vectors.map { builder.constant(Tensor(.float32, [2], $0.1), name: $0.0) }
    let scaled = try builder(Mul(), x, w)
    let y = try builder(BatchNorm(epsilon: Self.epsilon), scaled, values[0], values[1], values[2], values[3])
    return builder.finish([("y", y)])
  }

  private struct Played {
    var loss = 0.0
    var means: [Double] = [], variances: [Double] = []
  }

  /// The mean squared error of the layer for these w, gamma and beta, two numbers each, and the batch's statistics.
  private func play(_ x: [Double], _ target: [Double], _ p: [Double]) -> Played {
    var played = Played()
    for c in 0..<Self.channels {
      let places = x.indices.filter { $0 / 2 % 2 == c }
      let data = places.map { x[$0] * p[c] }
      let mean = data.reduce(0, +) / Double(data.count)
      let variance = data.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(data.count)
      for (place, value) in zip(places, data) {
        let y = (value - mean) / (variance + Self.epsilon).squareRoot() * p[2 + c] + p[4 + c]
        played.loss += (y - target[place]) * (y - target[place]) / Double(x.count)
      }
      played.means.append(mean)
      played.variances.append(variance)
    }
    return played
  }

  @Test(arguments: BatchStatistics.allCases) func step(_ kind: BatchStatistics) throws {
    var draw = Draw(seed: 3)
    let x = draw.reals(Self.shape).converted(to: .float32)
    let target = draw.reals(Self.shape).converted(to: .float32)
    var options = TrainingStep.Options(MeanSquaredError(), SGD(momentum: false))
    options.batchStatistics = kind
    var trainer = try Trainer(TrainingStep(function(), parameters: Set(Self.names), options))
    #expect(trainer.step.initial.map { $0.name } == Self.names + ["mean", "variance"])
    let loss = try trainer.run([x, target], [0.25, 0.75])
    let p = [0.5, -1.5, 1.5, 0.75, 0.5, -0.25]
    let played = play(x.doubles, target.doubles, p)
    #expect(abs(loss - played.loss) < 1e-5)
    let found = trainer.states.prefix(3).flatMap { $0.doubles }
    for index in p.indices {
      var (more, less) = (p, p)
      more[index] += 1e-5
      less[index] -= 1e-5
      let slope = (play(x.doubles, target.doubles, more).loss - play(x.doubles, target.doubles, less).loss) / 2e-5
      #expect(abs(found[index] - (p[index] - 0.25 * slope)) < 1e-5, "parameter \(index)")
    }
    let count = kind == .biased ? 1 : 6.0 / 5
    for c in 0..<Self.channels {
      let old = (mean: [0.25, -0.5][c], variance: [1.0, 2][c])
      #expect(abs(trainer.states[3].doubles[c] - (0.75 * old.mean + 0.25 * played.means[c])) < 1e-6)
      let variance = 0.75 * old.variance + 0.25 * played.variances[c] * count
      #expect(abs(trainer.states[4].doubles[c] - variance) < 1e-6)
    }
  }

  /// A layer whose gamma and beta stay keeps the model's statistics, and they stay.
  @Test func frozenLayers() throws {
    var options = TrainingStep.Options(MeanSquaredError(), SGD(momentum: false))
    options.batchStatistics = .biased
    let step = try TrainingStep(function(), parameters: ["w"], options)
    #expect(step.initial.map { $0.name } == ["w"])
    let names = step.function.inputs.map { step.function[$0].name }
    #expect(names == ["x", "target", "learningRate", "normMomentum", "w"])
  }
}
