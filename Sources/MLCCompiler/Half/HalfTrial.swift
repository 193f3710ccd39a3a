import MLCCore
import MLCGraph
import MLCPasses

/// Measures what float16 storage of some operations does to a function's outputs.
struct HalfTrial {
  private let function: Function
  private let samples: [[Tensor]], expected: [[Tensor]]
  /// First results of the operations that stay in float32 whatever is tried.
  private let fixed: Set<String>
  private let budget: Budget
  private let known: HalfMeasurements

  /// `known` is what was measured of the same function before, on the first of `samples` in the same order.
  init(
    _ function: Function,
    samples: [[Tensor]],
    expected: [[Tensor]],
    kept: Set<String>,
    budget: Budget,
    known: HalfMeasurements
  ) {
    (self.function, self.samples, self.expected, fixed, self.budget) = (function, samples, expected, kept, budget)
    self.known = known
  }

  /// First results of the operations that float16 would reach, in the program's order.
  func candidates() throws(Diagnostic) -> [String] {
    let left = Set(try CastToFp16(keeping: fixed).converted(function).left.map { $0.value })
    return function.body.operations.compactMap { operation in
      guard let first = operation.outputs.first, !operation.inputs.joined().isEmpty,
        operation.outputs.contains(where: { function.type($0).dtype == .float32 })
      else { return nil }
      let name = function[first].name
      return fixed.contains(name) || left.contains(name) ? nil : name
    }
  }

  /// Noise over signal, as a power, of the worst floating-point output of the first sample. What comes before the first
  /// operation in float16 is not run again.
  func noise(keeping names: Set<String>) throws(Diagnostic) -> Double {
    let kept = fixed.union(names)
    if let noise = known.noises[kept]?[0] { return noise }
    let values = try known.values(of: function, on: samples[0], budget)
    let noise = try noise(Interpreter(converted(keeping: kept).resuming(at: values), budget: budget), 0)
    known.noises[kept, default: [:]][0] = noise
    return noise
  }

  /// Noise over signal, as powers, of the worst floating-point output of each sample when these operations stay in
  /// float32 as well; infinite when an output is not finite where it was.
  func noises(keeping names: Set<String>) throws(Diagnostic) -> [Double] {
    try noises(keeping: names, of: samples.indices) { _ in true }
  }

  /// Whether no sample has more noise than `limit` when these operations stay in float32 as well. Those that have most
  /// when none does are tried first, and none after one that has more.
  func fits(_ limit: Double, keeping names: Set<String>) throws(Diagnostic) -> Bool {
    let all = try noises(keeping: [])
    let order = samples.indices.sorted { all[$0] > all[$1] }
    return try noises(keeping: names, of: order) { $0 <= limit }.allSatisfy { $0 <= limit }
  }

  /// The noises of the samples at `places`, until `continues` answers false for one.
  private func noises(
    keeping names: Set<String>,
    of places: some Sequence<Int>,
    while continues: (Double) -> Bool
  ) throws(Diagnostic) -> [Double] {
    let kept = fixed.union(names)
    var interpreter: Interpreter?
    var noises: [Double] = []
    for place in places {
      if let noise = known.noises[kept]?[place] {
        noises.append(noise)
      } else {
        if interpreter == nil {
          interpreter = Interpreter(try converted(keeping: kept), budget: budget)
        }
        let noise = try noise(interpreter!, place)
        noises.append(noise)
        known.noises[kept, default: [:]][place] = noise
      }
      if !continues(noises[noises.count - 1]) { break }
    }
    return noises
  }

  private func converted(keeping kept: Set<String>) throws(Diagnostic) -> Function {
    try CastToFp16(keeping: kept).converted(function).function
  }

  private func noise(_ half: Interpreter, _ place: Int) throws(Diagnostic) -> Double {
    var worst = 0.0
    for (x, y) in zip(expected[place], try half.run(samples[place])) where x.dtype.isFloat {
      let comparison = try Comparison(expected: x, actual: y, tolerance: .exact)
      worst = max(worst, Double.powerOfTen(-comparison.signalToNoise / 10))
    }
    return worst
  }
}

/// What was measured of one function.
final class HalfMeasurements {
  /// Noises over signal: by all that stays in float32, and by the sample's place.
  fileprivate(set) var noises: [Set<String>: [Int: Double]] = [:]
  private var values: [ValueID: Tensor]?
  private var bytes = 0
  /// The most that values may take.
  private static let mostBytes = 1 << 30

  /// The values of the outermost block in float32 on the first sample, constants aside: those that are made first, as
  /// far as there is room. Throws what the interpreter throws.
  fileprivate func values(
    of function: Function,
    on sample: [Tensor],
    _ budget: Budget
  ) throws(Diagnostic) -> [ValueID: Tensor] {
    if let values { return values }
    let outermost = Set(function.body.operations.filter { !($0.op is Const) }.flatMap { $0.outputs })
    let limit = min(budget.memory, Self.mostBytes)
    var made: [ValueID: Tensor] = [:]
    _ = try Interpreter(function, budget: budget).run(sample) { operation, results in
      for (id, tensor) in zip(operation.outputs, results) where outermost.contains(id) {
        self.bytes += tensor.byteCount
        if self.bytes <= limit { made[id] = tensor }
      }
    }
    values = made
    return made
  }
}
