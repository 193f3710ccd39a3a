import MLCCore
import MLCGraph
import MLCPasses

extension ModelSource {
  /// The model with its weights compressed, after batch norms and the like are folded into them, in `precision`.
  struct Compressed {
    var source: ModelSource
    /// One for each function.
    var reports: [CompressionReport] = []
    /// What stayed float32 for `Precision.fp16`.
    var half: PrecisionSummary
  }

  /// Shows its progress on `bar`, up to `share`.
  func compressed(
    by plan: CompressionPlan,
    precision: Precision,
    showing bar: ProgressBar,
    upTo share: Double = 1
  ) throws(Diagnostic) -> Compressed {
    bar.show("optimising", 0)
    let (stored, half) = try PrecisionOption.apply(precision, to: self, passes: .portable)
    var result = Compressed(source: stored, half: half)
    for index in result.source.program.functions.indices {
      try PassPipeline.portable.run(&result.source.program.functions[index], options: passOptions)
      var pass = CompressWeights(plan)
      pass.progress = { done, total in bar.show("compressing weights", share * Double(done) / Double(max(1, total))) }
      result.reports.append(try pass.compress(&result.source.program.functions[index]))
    }
    return result
  }
}
