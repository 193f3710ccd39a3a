import MLCCore
import MLCTraining

/// What a training did, for reports.
struct TrainingSummary {
  let model: String, data: String, path: String
  let weights: [String]
  /// The weights that were compressed or of another type.
  let expanded: [String]
  /// How many of the epochs a checkpoint had.
  let resumed: Int
  /// What the user should know of how the package was written.
  let notes: [String]
  let history: [TrainingSession.Epoch]
  /// The memory of a step's activations and gradients; `nil` where the size of batches decides.
  let arenaBytes: Int?
  let steps: StepLog

  /// Says which weights were compressed or of another type.
  static func note(expanded weights: [String]) {
    if weights.isEmpty { return }
    Console.note("these weights were compressed or of another type, and are float32 now: \(abridged(weights, 8))")
  }

  static func line(_ number: Int, _ epoch: TrainingSession.Epoch) -> ConsoleText {
    let validation = epoch.validation.map { ", validation \($0.shortened)" } ?? ""
    return "epoch \(number + 1): loss \(epoch.loss.shortened)\(validation)"
  }

  var json: JSON {
    .object([
      "package": .string(path), "weights": .array(weights.map { .string($0) }),
      "expanded": .array(expanded.map { .string($0) }), "resumed_after": .integer(resumed),
      "notes": .array(notes.map { .string($0) }),
      "epochs": .array(
        history.map { epoch in
          .object(["loss": .number(epoch.loss), "validation": epoch.validation.map { .number($0) } ?? .null])
        }
      ),
      "steps": steps.json, "arena_bytes": arenaBytes.map { .integer($0) } ?? .null,
      "rss_peak_mb": .rounded(ProcessUsage.peakMegabytes, 2),
    ])
  }
}
