import MLCCore
import MLCTraining

/// Losses over epochs as a picture: a line for those of training, a dashed one for those of validation, from 0 to the
/// largest. Scale and caption are HTML around it, so that they keep their size.
struct LossChart {
  let history: [TrainingSession.Epoch]

  private var losses: [Double] { history.map { $0.loss } + history.compactMap { $0.validation } }
  private var top: Double { max(losses.max() ?? 0, .leastNormalMagnitude) }
  private var bottom: Double { min(losses.min() ?? 0, 0) }

  /// In percent from the left, and from the top.
  private func x(_ epoch: Int) -> Double { history.count < 2 ? 50 : 100 * Double(epoch) / Double(history.count - 1) }
  private func y(_ loss: Double) -> Double { 100 - 100 * (loss - bottom) / (top - bottom) }

  private func line(_ losses: [Double], _ style: String) -> String {
    let places = losses.enumerated().map { "\(x($0).fixed(2)) \(y($1).fixed(2))" }
    if places.isEmpty { return "" }
    return "<path class=\"\(style)\" d=\"M\(places.joined(separator: "L"))\"/>"
  }

  private var dots: String {
    history.enumerated().map { number, epoch in
      let title = "epoch \(number + 1): \(epoch.loss.shortened)"
      return
        "<path class=\"dot\" d=\"M\(x(number).fixed(2)) \(y(epoch.loss).fixed(2))h0\"><title>\(title)</title></path>"
    }.joined(separator: "\n")
  }

  var html: String {
    let scale = [bottom, top].map { "<span style=\"top:\(y($0).fixed(2))%\">\($0.shortened)</span>" }.joined()
    let validation = history.compactMap { $0.validation }
    let dashed = validation.isEmpty ? "" : " Dashed: over the examples that only measure."
    return """
      <figure class="chart">
      <div class="plot"><div class="scale" aria-hidden="true">\(scale)</div>
      <div class="field"><svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="Loss by epoch">
      \(line(history.map { $0.loss }, "line"))
      \(line(validation, "required"))
      \(dots)
      </svg></div></div>
      <figcaption>Loss by epoch, the mean over its examples.\(dashed)</figcaption></figure>

      """
  }
}
