import MLCCore
import MLCTraining

/// Losses over epochs as a picture: a line for those of training, a dashed one for those of validation, from 0 to the
/// largest.
struct LossChart {
  let history: [TrainingSession.Epoch]

  private var losses: [Double] { history.map { $0.loss } + history.compactMap { $0.validation } }
  private var top: Double { max(losses.max() ?? 0, .leastNormalMagnitude) }
  private var bottom: Double { min(losses.min() ?? 0, 0) }

  /// In percent from the left, and from the top.
  private func x(_ epoch: Int) -> Double { history.count < 2 ? 50 : 100 * Double(epoch) / Double(history.count - 1) }
  private func y(_ loss: Double) -> Double { 100 - 100 * (loss - bottom) / (top - bottom) }
  private func points(_ losses: [Double]) -> [(x: Double, y: Double)] { losses.enumerated().map { (x($0), y($1)) } }

  var plot: Plot {
    let validation = history.compactMap { $0.validation }
    let dots = history.enumerated().map { number, epoch in
      Plot.dot(x(number), y(epoch.loss), "dot", "epoch \(number + 1): \(epoch.loss.shortened)")
    }
    return Plot(
      label: "Loss by epoch",
      scale: [bottom, top].map { Plot.Mark(name: $0.shortened, place: y($0)) },
      drawing: [Plot.line(points(history.map { $0.loss })), Plot.line(points(validation), "level-line")] + dots,
      caption: "Loss by epoch, the mean over its examples."
        + (validation.isEmpty ? "" : " Dashed: over the examples that only measure.")
    )
  }
}
