import MLCCore
import MLCTraining

/// What a training did, for reports.
struct TrainingSummary {
  let model: String, data: String, path: String
  let weights: [String]
  let history: [TrainingSession.Epoch]
  let steps: StepLog

  init(
    model: String,
    data: String,
    path: String,
    weights: [String],
    _ history: [TrainingSession.Epoch],
    _ steps: StepLog
  ) {
    (self.model, self.data, self.path, self.weights) = (model, data, path, weights)
    (self.history, self.steps) = (history, steps)
  }

  static func line(_ number: Int, _ epoch: TrainingSession.Epoch) -> ConsoleText {
    let validation = epoch.validation.map { ", validation \($0.shortened)" } ?? ""
    return "epoch \(number + 1): loss \(epoch.loss.shortened)\(validation)"
  }

  var json: JSON {
    .object([
      "package": .string(path), "weights": .array(weights.map { .string($0) }),
      "epochs": .array(
        history.map { epoch in
          .object(["loss": .number(epoch.loss), "validation": epoch.validation.map { .number($0) } ?? .null])
        }
      ),
      "steps": steps.json, "rss_peak_mb": .rounded(ProcessUsage.peakMegabytes, 2),
    ])
  }
}
