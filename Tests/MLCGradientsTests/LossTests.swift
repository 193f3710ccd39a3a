import Glibc
import MLCCore
import MLCGradients
import MLCGraph
import MLCOps
import Testing

/// Losses beside their formulas in double, and their gradients beside the formulas' slopes.
@Suite struct LossTests {
  /// The loss of `prediction`, which `maker` makes of the input where it is given, and its gradient by the input.
  private func play(_ loss: any Loss, _ input: Tensor, _ target: Tensor, through maker: (any Operator)? = nil) throws
    -> (loss: Double, gradient: [Double])
  {
    var builder = Builder()
    let x = builder.input("x", input.type)
    let prediction = try maker.map { try builder($0, x) } ?? x
    let function = builder.finish([("y", prediction)])
    var differentiation = try Differentiation(function, parameters: [x], result: prediction)
    let type = try loss.target(of: input.type)
    #expect(type == target.type)
    let goal = differentiation.writer.input("target", type)
    let value = try loss.value(differentiation.value(prediction), goal, &differentiation.writer)
    let gradient = try differentiation.gradients(of: value)[0]
    let whole = differentiation.writer.finished([("loss", value), ("gradient", gradient)])
    try whole.verify()
    let results = try Interpreter(whole).run([input, target])
    #expect(results[0].type == TensorType(.float32, [Dim]()) && results[1].type == input.type)
    return (results[0].doubles[0], results[1].doubles)
  }

  /// Whether the loss is `formula`, and the gradient its slopes over ±10⁻⁵, whose error is within 10⁻⁸ here; float32
  /// rounds to 6·10⁻⁸.
  private func check(
    _ loss: any Loss,
    _ input: Tensor,
    _ target: Tensor,
    through maker: (any Operator)? = nil,
    _ formula: ([Double]) -> Double
  ) throws {
    let played = try play(loss, input, target, through: maker)
    let x = input.doubles
    #expect(abs(played.loss - formula(x)) <= 1e-6 * max(1, abs(formula(x))))
    for index in x.indices {
      var (more, less) = (x, x)
      more[index] += 1e-5
      less[index] -= 1e-5
      let slope = (formula(more) - formula(less)) / 2e-5
      #expect(abs(played.gradient[index] - slope) <= 1e-6 * max(1, abs(slope)), "\(loss) by \(index)")
    }
  }

  private static let seeds: Range<UInt64> = 0..<6

  @Test(arguments: seeds) func squares(_ seed: UInt64) throws {
    var draw = Draw(seed: seed)
    let shape = draw.shape(rank: 0...3)
    let (x, t) = (draw.reals(shape).converted(to: .float32), draw.reals(shape).converted(to: .float32))
    try check(MeanSquaredError(), x, t) { values in
      zip(values, t.doubles).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } / Double(values.count)
    }
  }

  @Test(arguments: seeds) func binary(_ seed: UInt64) throws {
    var draw = Draw(seed: seed)
    let shape = draw.shape(rank: 1...3)
    let t = draw.reals(shape, 0...1).converted(to: .float32)
    func entropy(_ p: [Double]) -> Double {
      zip(p, t.doubles).reduce(0) { $0 - $1.1 * log($1.0) - (1 - $1.1) * log(1 - $1.0) } / Double(p.count)
    }
    let x = draw.reals(shape, -4...4).converted(to: .float32)
    func sigmoid(_ x: [Double]) -> [Double] { x.map { 1 / (1 + exp(-$0)) } }
    try check(BinaryCrossEntropy(.logits), x, t) { entropy(sigmoid($0)) }
    try check(BinaryCrossEntropy(.probabilities), x, t, through: Sigmoid()) { entropy(sigmoid($0)) }
    let p = draw.reals(shape, 0.1...0.9).converted(to: .float32)
    try check(BinaryCrossEntropy(.probabilities), p, t) { entropy($0) }
  }

  @Test(arguments: seeds) func categorical(_ seed: UInt64) throws {
    var draw = Draw(seed: seed)
    let (rows, classes, places) = (draw.int(1...3), draw.int(2...4), draw.int(1...3))
    let labels = draw.integers([rows, places], 0...classes - 1)
    let shares = draw.reals([rows, classes, places], 0...1).converted(to: .float32)
    let x = draw.reals([rows, classes, places]).converted(to: .float32)
    func runs(_ values: [Double]) -> [[Double]] {
      (0..<rows * places).map { run in
        (0..<classes).map { values[(run / places * classes + $0) * places + run % places] }
      }
    }
    func softmax(_ run: [Double]) -> [Double] {
      let sum = run.reduce(0) { $0 + exp($1) }
      return run.map { exp($0) / sum }
    }
    func ofClasses(_ runs: [[Double]]) -> Double {
      zip(runs, labels.integers).reduce(0) { $0 - log($1.0[$1.1]) } / Double(runs.count)
    }
    func ofShares(_ all: [[Double]]) -> Double {
      zip(all, runs(shares.doubles)).reduce(0) { $0 - zip($1.0, $1.1).reduce(0) { $0 + $1.1 * log($1.0) } }
        / Double(all.count)
    }
    for scores in ClassScores.allCases {
      let maker: (any Operator)? = scores == .logits ? nil : Softmax(axis: -2)
      let byClass = CategoricalCrossEntropy(scores, targets: .classes, axis: 1)
      try check(byClass, x, labels, through: maker) { ofClasses(runs($0).map(softmax)) }
      let byShare = CategoricalCrossEntropy(scores, targets: .probabilities, axis: -2)
      try check(byShare, x, shares, through: maker) { ofShares(runs($0).map(softmax)) }
    }
    let p = draw.reals([rows, classes, places], 0.1...0.9).converted(to: .float32)
    let plain = CategoricalCrossEntropy(.probabilities, targets: .classes, axis: 1)
    try check(plain, p, labels) { ofClasses(runs($0)) }
  }

  /// Where a probability is 0 in float32, its logarithm is that of the logits.
  @Test func distantLogits() throws {
    let x = Tensor(.float32, [1, 2], [200.0, -200])
    let label = Tensor(.int32, [1], [1])
    let loss = CategoricalCrossEntropy(.probabilities, targets: .classes)
    let through = try play(loss, x, label, through: Softmax())
    #expect(through.loss == 400 && through.gradient == [1, -1])
    let flat = try play(BinaryCrossEntropy(.probabilities), x, Tensor(.float32, [1, 2], [0.0, 1]), through: Sigmoid())
    #expect(flat.loss == 200 && flat.gradient == [0.5, -0.5])
    // Without the logits it is that of the smallest probability.
    let p = Tensor(.float32, [1, 2], [1.0, 0])
    #expect(abs(try play(loss, p, label).loss + log(1e-7)) < 1e-5)
  }
}
