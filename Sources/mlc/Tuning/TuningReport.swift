import Foundation
import MLCCore
import MLCKernels

/// What was measured of a model's contractions, beside what was expected.
struct TuningReport {
  struct Candidate {
    let choice: Tuning.Choice
    /// What it is expected to take.
    let cycles: Double
    /// What it took, in each measurement, of what the first candidate took in turn with it.
    var ratios: [Double] = []
    var ratio: Double? { ratios.isEmpty ? nil : ratios.quantile(0.5) }
  }

  struct Problem {
    let key: String, nodes: [String]
    /// How many steps compute it.
    var steps: Int
    /// As they are expected to be, the best first.
    var candidates: [Candidate]
    /// Nanoseconds of the first candidate.
    private var base: [Double] = []

    init(key: String, nodes: [String], steps: Int, candidates: [Candidate]) {
      (self.key, self.nodes, self.steps, self.candidates) = (key, nodes, steps, candidates)
    }

    /// What the first candidate took in turn with the one of `round`; the last one where there are fewer is not
    /// measured again.
    mutating func add(_ round: Int, first: Double, second: Double) {
      base.append(first)
      guard candidates.indices.contains(round), first > 0 else { return }
      candidates[round].ratios.append(second / first)
      candidates[0].ratios = [1]
    }

    func nanoseconds(_ candidate: Candidate) -> Double? {
      base.isEmpty ? nil : candidate.ratio.map { $0 * base.quantile(0.5) }
    }

    /// Those that were measured, the fastest first.
    var measured: [Candidate] { candidates.filter { $0.ratio != nil }.sorted { $0.ratio! < $1.ratio! } }
    /// How many times the fastest's time the one takes that is expected to be best; `nil` before anything is measured.
    var loss: Double? { measured.first.flatMap { best in best.ratio! > 0 ? 1 / best.ratio! : nil } }

    /// Spearman's rank correlation of expected and measured times; `nil` for fewer than three candidates.
    var rankCorrelation: Double? {
      let known = candidates.filter { $0.ratio != nil }
      guard known.count > 2 else { return nil }
      let pairs = zip(ranks(known.map { $0.cycles }), ranks(known.map { $0.ratio! }))
      let squares = pairs.reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
      let count = Double(known.count)
      return 1 - 6 * squares / (count * (count * count - 1))
    }
  }

  let device: String
  var problems: [Problem]
  /// Whether every candidate was measured.
  var isWhole: Bool
  /// Milliseconds of a prediction, by estimates and by what was measured.
  var before = 0.0, after = 0.0

  init(device: String, problems: [Problem], isWhole: Bool) {
    (self.device, self.problems, self.isWhole) = (device, problems, isWhole)
  }

  var tuning: Tuning {
    var tuning = Tuning()
    for problem in problems {
      let times = problem.candidates.compactMap { candidate in
        problem.nanoseconds(candidate).flatMap { $0 > 0 ? (candidate.choice, $0) : nil }
      }
      if !times.isEmpty { tuning.measured[problem.key] = Dictionary(uniqueKeysWithValues: times) }
    }
    return tuning
  }

  /// The geometric mean of the losses, and the mean of the rank correlations.
  var meanLoss: Double? {
    let losses = problems.compactMap { $0.loss }.filter { $0 > 0 }
    return losses.isEmpty ? nil : losses.reduce(1) { $0 * pow($1, 1 / Double(losses.count)) }
  }
  var meanCorrelation: Double? {
    let all = problems.compactMap { $0.rankCorrelation }
    return all.isEmpty ? nil : all.reduce(0, +) / Double(all.count)
  }
}

/// Places in ascending order, equal values the mean of theirs.
private func ranks(_ values: [Double]) -> [Double] {
  values.map { value in
    let (below, equal) = (values.filter { $0 < value }.count, values.filter { $0 == value }.count)
    return Double(below) + Double(equal - 1) / 2
  }
}
