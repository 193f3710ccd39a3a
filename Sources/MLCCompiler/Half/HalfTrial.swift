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

  init(_ function: Function, samples: [[Tensor]], expected: [[Tensor]], kept: Set<String>, budget: Budget) {
    (self.function, self.samples, self.expected, fixed, self.budget) = (function, samples, expected, kept, budget)
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

  /// Noise over signal, as powers, of the worst floating-point output of the worst of the first `count` samples, all by
  /// default.
  func noise(keeping names: Set<String>, samples count: Int = .max) throws(Diagnostic) -> Double {
    try noises(keeping: names, samples: count).max() ?? 0
  }

  /// Noise over signal, as powers, of the worst floating-point output of each sample when these operations stay in
  /// float32 as well; infinite when an output is not finite where it was.
  func noises(keeping names: Set<String>, samples count: Int = .max) throws(Diagnostic) -> [Double] {
    let half = try CastToFp16(keeping: fixed.union(names)).converted(function).function
    let interpreter = Interpreter(half, budget: budget)
    var noises: [Double] = []
    for (sample, wanted) in zip(samples, expected).prefix(count) {
      var worst = 0.0
      for (x, y) in zip(wanted, try interpreter.run(sample)) where x.dtype.isFloat {
        let comparison = try Comparison(expected: x, actual: y, tolerance: .exact)
        worst = max(worst, Double.powerOfTen(-comparison.signalToNoise / 10))
      }
      noises.append(worst)
    }
    return noises
  }
}
