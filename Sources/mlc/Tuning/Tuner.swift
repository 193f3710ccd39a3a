import MLCCompiler
import MLCCore
import MLCKernels
import MLCRuntime

/// Measures the ways to compute each contraction of a model where they matter: within the model, compiled once for each
/// candidate of all contractions at a time, and run in turn with the first one, so that neither the clock's rate nor
/// what else the machine does favours one.
struct Tuner {
  let source: ModelSource
  let device: String
  let threads: Int?
  let sizes: [String: Int]
  let iterations: Int
  /// After this much no further candidate is begun.
  let time: Duration

  /// Candidates that are expected to take more than so many times what the best is expected to are left out.
  private static let widest = 3.0

  /// Throws what compiling and running throw.
  func run() throws(Diagnostic) -> TuningReport {
    let bar = ProgressBar()
    defer { bar.clear() }
    let start = ContinuousClock.now
    bar.show("compiling", 0)
    let first = try compiled(pinning: [:])
    let steps = first.steps
    var problems = Tuner.problems(steps)
    let chosen = Dictionary(uniqueKeysWithValues: problems.map { ($0.key, $0.candidates[0].choice) })
    // Estimates may differ a little between what a strategy takes by itself and the same as a variant.
    let base = try compiled(pinning: chosen)
    let rounds = problems.map { $0.candidates.count }.max() ?? 1
    var isWhole = true
    for round in 1..<max(2, rounds) {
      if round > 1, ContinuousClock.now - start > time {
        isWhole = false
        break
      }
      bar.show("candidate \(round) of \(max(1, rounds - 1))", Double(round) / Double(max(2, rounds)))
      let pins = problems.map { ($0.key, $0.candidates[min(round, $0.candidates.count - 1)].choice) }
      let other = try compiled(pinning: Dictionary(uniqueKeysWithValues: pins))
      let times = try StepContest(base.model, other.model, base.inputs, iterations: iterations).steps()
      for index in problems.indices {
        let places = steps.indices.filter { steps[$0].problem == problems[index].key }
        let sums = places.reduce((0.0, 0.0)) { ($0.0 + times.first[$1], $0.1 + times.second[$1]) }
        problems[index].add(round, first: sums.0 / Double(places.count), second: sums.1 / Double(places.count))
      }
    }
    bar.show("trying what was fastest", 0.97)
    var report = TuningReport(device: device, problems: problems, isWhole: isWhole)
    let usual = try compiled(with: nil)
    let tuned = try compiled(with: report.tuning)
    (report.before, report.after) = try StepContest(usual.model, tuned.model, base.inputs, iterations: iterations)
      .whole()
    return report
  }

  /// The contractions between whose candidates there is something to choose, those expected to take most first.
  private static func problems(_ steps: [ModuleStep]) -> [TuningReport.Problem] {
    var problems: [TuningReport.Problem] = []
    for step in steps {
      guard let key = step.problem else { continue }
      if let known = problems.firstIndex(where: { $0.key == key }) {
        problems[known].steps += 1
        continue
      }
      let possible = step.candidates.filter { $0.cycles != nil }
      guard let least = possible.compactMap({ $0.cycles }).min() else { continue }
      let near = possible.filter { $0.cycles! <= widest * least }
      guard near.count > 1 else { continue }
      problems.append(
        TuningReport.Problem(
          key: key,
          nodes: step.origins.compactMap { $0.node },
          steps: 1,
          candidates: near.map { TuningReport.Candidate(choice: $0.choice, cycles: $0.cycles!) }
        )
      )
    }
    return problems
  }

  private struct Compiled {
    let folder: Temporary
    let model: Model
    let inputs: [Tensor]
    /// Those of the function that runs.
    let steps: [ModuleStep]
  }

  private func compiled(pinning pins: [String: Tuning.Choice]) throws(Diagnostic) -> Compiled {
    var tuning = Tuning()
    (tuning.pinned, tuning.listsVariants) = (pins, true)
    return try compiled(with: tuning)
  }

  private func compiled(with tuning: Tuning?) throws(Diagnostic) -> Compiled {
    let folder = try Temporary()
    let path = "\(folder.path)/model.mlmodelc"
    let report = try source.compile(to: path, targets: [device], showsProgress: false) { options in
      options.tuning = tuning.map { (device, $0) }
    }
    let measurement = BenchMeasurement(
      path: path,
      sizes: sizes,
      seed: 0,
      threads: threads,
      target: device,
      demands: PackageDemands(),
      iterations: iterations,
      warmup: 0,
      profiles: true
    )
    let model = try measurement.load(try DeviceFamily.drivers(threads: threads), profiles: true).model
    let inputs = try measurement.inputs(model.interface).0
    let steps = Array(report.targets[0].calls.prefix(model.profile.count))
    return Compiled(folder: folder, model: model, inputs: inputs, steps: steps)
  }
}

/// Two models of the same steps, run in turn on the same inputs.
struct StepContest {
  private let models: [Model]
  private let inputs: [Tensor]
  private let iterations: Int
  private static let warmup = 2
  /// What a busy machine adds is never negative: the lower quartile says more of the code than the median.
  private static let quantile = 0.25

  init(_ first: Model, _ second: Model, _ inputs: [Tensor], iterations: Int) {
    (models, self.inputs, self.iterations) = ([first, second], inputs, iterations)
  }

  /// Nanoseconds of each step.
  func steps() throws(Diagnostic) -> (first: [Double], second: [Double]) {
    var times = models.map { [[Double]](repeating: [], count: $0.profile.count) }
    for turn in 0..<StepContest.warmup + iterations {
      for (number, model) in models.enumerated() {
        let before = model.profile
        _ = try model.predict(inputs)
        if turn < StepContest.warmup { continue }
        for (step, (old, new)) in zip(before, model.profile).enumerated() {
          times[number][step].append(Double(new.nanoseconds &- old.nanoseconds))
        }
      }
    }
    let typical = times.map { $0.map { $0.quantile(StepContest.quantile) } }
    return (typical[0], typical[1])
  }

  /// Milliseconds of a prediction.
  func whole() throws(Diagnostic) -> (first: Double, second: Double) {
    var times: [[Double]] = [[], []]
    for turn in 0..<StepContest.warmup + iterations {
      for (number, model) in models.enumerated() {
        let start = ContinuousClock.now
        _ = try model.predict(inputs)
        if turn >= StepContest.warmup { times[number].append((ContinuousClock.now - start).milliseconds) }
      }
    }
    return (times[0].quantile(StepContest.quantile), times[1].quantile(StepContest.quantile))
  }
}
