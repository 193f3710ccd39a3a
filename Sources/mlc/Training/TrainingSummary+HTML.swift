import MLCCore
import MLCTraining

extension TrainingSummary {
  /// Writes the losses as a page. Throws `file.write`.
  func writeHTML(to path: String) throws(Diagnostic) {
    let provenance = Provenance(model: model, data: .files(inputs: data, expected: nil))
    let losses = Listing(figures: ["Epoch", "Loss", "Validation"], names: [], rows: rows)
    let page = ReportPage(
      command: "mlc update",
      subject: provenance.name,
      header: "",
      styles: "",
      body: "\(LossChart(history: history).plot.html)\n<h2>Losses</h2>\n\(losses.html)",
      facts: facts(provenance)
    )
    try page.write(to: path)
  }

  private var rows: [[String]] {
    history.enumerated().map { ["\($0 + 1)", $1.loss.shortened, $1.validation?.shortened ?? ""] }
  }

  private func facts(_ provenance: Provenance) -> [(name: String, text: String)] {
    [
      ("Model", model), ("Data", data), ("Result", path), ("Weights", weights.joined(separator: ", ")),
      ("Made by", provenance.maker), ("Machine", provenance.machine),
    ]
  }
}
