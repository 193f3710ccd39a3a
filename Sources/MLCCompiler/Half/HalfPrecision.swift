import MLCCore
import MLCGraph
import MLCPasses

/// Float16 storage for a whole function.
package struct HalfPrecision: Sendable {
  /// What decides which operations stay in float32.
  package enum Samples: Sendable {
    /// Seeded random inputs, one set for each seed. Open sizes are twice as large as elsewhere where the function runs
    /// at such sizes: small pictures hide what noise adds up to in larger ones.
    case seeded([UInt64])
    /// Sets of the function's inputs, in order.
    case given([[Tensor]])
  }
  package var samples = Samples.seeded([0, 1])
  /// The signal-to-noise ratio in dB that the outputs shall keep.
  package var floor = 40.0
  /// What optimises the function first.
  package var passes = PassPipeline.standard
  /// What the passes and the runs on samples may take.
  package var budget = Budget()
  /// Told what is being done, and how much of the whole is done, 0…1.
  package var progress: @Sendable (String, Double) -> Void = { _, _ in }

  package init() {}

  /// What float16 storage left in float32, and what it costs.
  package struct Report: Sendable {
    /// The operations with float32 results, in the program's order.
    package var kept: [HalfHazard]
    /// The least signal-to-noise ratio of an output, in dB, against float32 on the samples; infinite without error.
    package var decibels: Double
    /// How many sets of inputs that is the least of.
    package var samples: Int
  }

  /// Optimises `function` and stores its weights and intermediate tensors as float16, except the smallest set of
  /// operations that must not. Inputs and outputs keep their types.
  ///
  /// Kept are operations whose tensors leave the range of float16 on the samples; operations without weights that make
  /// an output, so that results are not rounded last; those that take no float16; and, when the outputs then lie below
  /// `floor` or too little above it, those whose rounding costs most. Seeded samples are only some of many: others are
  /// drawn, and where these find a tensor out of range or the outputs near the floor, they take part in another
  /// decision. Throws what the passes, the choice of inputs and the interpreter throw.
  package func apply(to function: inout Function) throws(Diagnostic) -> Report {
    var options = PassOptions()
    options.budget = budget
    try passes.run(&function, options: options)
    progress("ranges", 0.05)
    var draws = try survey(function)
    let known = HalfMeasurements()
    var decision = try decide(function, draws, known)
    if case .seeded(let seeds) = samples {
      for round in 0..<Self.rounds {
        progress("other inputs", 0.95)
        guard let others = try others(function, round, besides: seeds) else { break }
        draws.add(others)
        decision.noises = try trial(function, draws, keeping: decision.kept.keys, known).noises(keeping: [])
        let isKnown = others.survey.hazards.allSatisfy { decision.kept[$0.value] != nil }
        if isKnown && decision.spread.admits(floor) { break }
        decision = try decide(function, draws, known)
      }
    }
    let (half, left) = try CastToFp16(keeping: Set(decision.kept.keys)).converted(function)
    let report = Report(
      kept: Self.entries(function, decision.kept, left),
      decibels: decision.spread.worst,
      samples: draws.samples.count
    )
    function = half
    try PassPipeline([]).run(&function, options: options)
    return report
  }

  /// What stays in float32, by first results, and the noise over signal of each sample that is left.
  private struct Decision {
    var kept: [String: HalfHazard.Reason]
    var noises: [Double]

    var spread: DecibelSpread { DecibelSpread(noises: noises) }
  }

  private func decide(_ function: Function, _ draws: Draws, _ known: HalfMeasurements) throws(Diagnostic) -> Decision {
    var kept = Self.finals(function)
    for hazard in draws.survey.hazards { kept[hazard.value] = hazard.reason }
    let trial = trial(function, draws, keeping: kept.keys, known)
    progress("signal in fp16", 0.3)
    let noises = try trial.noises(keeping: [])
    let spread = DecibelSpread(noises: noises)
    if spread.admits(floor) { return Decision(kept: kept, noises: noises) }
    let admitted = Double.powerOfTen(-(floor + spread.margin) / 10)
    var search = HalfSearch(trial, budget: admitted, progress: progress)
    for (name, decibels) in try search.run() { kept[name] = .precision(decibels) }
    return Decision(kept: kept, noises: try trial.noises(keeping: Set(kept.keys)))
  }

  private func trial(
    _ function: Function,
    _ draws: Draws,
    keeping kept: some Sequence<String>,
    _ known: HalfMeasurements
  ) -> HalfTrial {
    let (samples, expected) = (draws.samples, draws.survey.outputs)
    return HalfTrial(function, samples: samples, expected: expected, kept: Set(kept), budget: budget, known: known)
  }

  /// How often others are drawn at most, and how many.
  private static let (rounds, drawsPerRound) = (4, UInt64(2))

  /// All operations that stay, in the program's order.
  private static func entries(_ function: Function, _ kept: [String: HalfHazard.Reason], _ left: [HalfHazard])
    -> [HalfHazard]
  {
    let found = Dictionary(left.map { ($0.value, $0) }) { first, _ in first }
    return function.body.operations.compactMap { operation in
      guard let first = operation.outputs.first else { return nil }
      let name = function[first].name
      guard let reason = kept[name] else { return found[name] }
      guard operation.outputs.contains(where: { function.type($0).dtype == .float32 }) else { return nil }
      return function.hazard(operation, reason)
    }
  }

  /// The first results of operations that make outputs from no constant of more than 4096 elements.
  private static func finals(_ function: Function) -> [String: HalfHazard.Reason] {
    let outputs = Set(function.outputs)
    var names: [String: HalfHazard.Reason] = [:]
    for operation in function.body.operations where operation.outputs.contains(where: outputs.contains) {
      guard let first = operation.outputs.first, operation.blocks.isEmpty, !operation.inputs.joined().isEmpty else {
        continue
      }
      let constants = operation.inputs.joined().map(function.fact).filter(\.isConstant)
      let weights = constants.compactMap { $0.type.staticShape?.checkedProduct }
      if weights.allSatisfy({ $0 <= 4096 }) { names[function[first].name] = .output }
    }
    return names
  }
}

extension HalfPrecision {
  /// Sets of inputs, and what the function makes of them.
  private struct Draws {
    var samples: [[Tensor]]
    var survey: HalfSurvey

    mutating func add(_ others: Draws) {
      samples += others.samples
      survey.outputs += others.survey.outputs
      let known = Set(survey.hazards.map { $0.value })
      survey.hazards += others.survey.hazards.filter { !known.contains($0.value) }
    }
  }

  private func survey(_ function: Function) throws(Diagnostic) -> Draws {
    switch samples {
    case .given(let samples):
      return Draws(samples: samples, survey: try HalfSurvey(function, samples: samples, budget: budget))
    case .seeded(let seeds):
      // Many runs are made: large pictures only where they are cheap.
      let large = try? SizeChoice(function, scale: 2, memory: min(budget.memory, 1 << 30))
      let usual = try SizeChoice(function, memory: budget.memory)
      let choices = [large, usual].compactMap { $0 }
      var last: Diagnostic?
      for choice in choices {
        do throws(Diagnostic) { return try draws(function, seeds, choice) } catch {
          if error.id == "budget.time" { throw error }
          last = error
        }
      }
      throw Self.refused(last)
    }
  }

  /// Inputs of the sizes that are usual elsewhere, from seeds that are none of `seeds`; `nil` when the function does
  /// not run on them.
  private func others(_ function: Function, _ round: Int, besides seeds: [UInt64]) throws(Diagnostic) -> Draws? {
    let first = (seeds.max() ?? 0) + 1 + UInt64(round) * Self.drawsPerRound
    do throws(Diagnostic) {
      let usual = try SizeChoice(function, memory: budget.memory)
      return try draws(function, Array(first..<first + Self.drawsPerRound), usual)
    } catch {
      if error.id == "budget.time" { throw error }
      return nil
    }
  }

  private func draws(_ function: Function, _ seeds: [UInt64], _ choice: SizeChoice) throws(Diagnostic) -> Draws {
    var samples: [[Tensor]] = []
    for seed in seeds { samples.append(try InputGenerator(function, sizes: choice.byName, seed: seed).inputs()) }
    return Draws(samples: samples, survey: try HalfSurvey(function, samples: samples, budget: budget))
  }

  /// Random inputs are ours: that the model does not run on them says nothing of the model.
  private static func refused(_ reason: Diagnostic?) -> Diagnostic {
    if let reason, reason.id == "budget.memory" { return reason }
    return Diagnostic(
      "precision.samples",
      "what fp16 costs is measured on seeded random inputs, and the model does not run on them; give some with "
        + "--inputs",
      kind: .unsupported,
      notes: reason.map { [$0.description] } ?? []
    )
  }
}
