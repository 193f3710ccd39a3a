import MLCCore
import MLCGradients

/// How a model is trained.
package struct TrainingPlan: Sendable {
  /// Passes over the examples.
  package var epochs = 10
  /// Examples a step; those of the model's fixed first extent, or `usualBatchSize`, when `nil`.
  package var batchSize: Int?
  package var shuffles = true
  package var seed: UInt64 = 0
  /// The share of the examples, the last of them, that only measure how well the model does; 0…1, 1 excluded.
  package var validationShare = 0.0
  /// Training ends after so many epochs without a lower validation loss, with the parameters of the lowest.
  package var patience: Int?
  /// Hyperparameters by name where they are not what they usually are.
  package var settings: [String: Double] = [:]

  package static let usualBatchSize = 32

  package init() {}

  /// The values of `hyperparameters`, in their order. Throws `update.setting` for what is out of range or belongs to
  /// none of them.
  package func values(of hyperparameters: [Hyperparameter]) throws(Diagnostic) -> [Double] {
    try check()
    let known = hyperparameters.map { $0.name }
    if let other = settings.keys.sorted().first(where: { !known.contains($0) }) {
      throw setting("this optimizer has no \(option(other)); it has \(known.map(option).joined(separator: ", "))")
    }
    var values: [Double] = []
    for parameter in hyperparameters {
      let value = settings[parameter.name] ?? parameter.initial
      guard parameter.range.contains(value) else { throw setting("\(option(parameter.name)) cannot be \(value)") }
      values.append(value)
    }
    return values
  }

  private func check() throws(Diagnostic) {
    if epochs < 1 { throw setting("--epochs \(epochs): at least 1 is needed") }
    if let batchSize, batchSize < 1 { throw setting("--batch-size \(batchSize): at least 1 is needed") }
    guard validationShare >= 0, validationShare < 1 else {
      throw setting("--validation \(validationShare) is not from 0 to below 1")
    }
    guard let patience else { return }
    if patience < 1 { throw setting("--patience \(patience): at least 1 is needed") }
    if validationShare == 0 { throw setting("--patience needs a share of examples that only measure, --validation") }
  }

  /// `--learning-rate` for `learningRate`.
  private func option(_ name: String) -> String {
    "--" + name.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
  }

  private func setting(_ message: String) -> Diagnostic { Diagnostic("update.setting", message, kind: .usage) }
}
