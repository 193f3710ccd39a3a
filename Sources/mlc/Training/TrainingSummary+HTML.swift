import MLCCore
import MLCTraining

extension TrainingSummary {
  /// One page that needs nothing besides itself: HTML that is well-formed XML too, without scripts.
  var html: String {
    let name = Provenance(model: model, data: .files(inputs: data, expected: nil)).name.markup
    return """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <title>mlc update: \(name)</title>
      <style>
      \(VerifyStyle.sheet)
      </style></head><body><main>
      <header><p class="kind">mlc update</p>
      <h1>\(name)</h1></header>
      \(LossChart(history: history).html)
      <table><thead><tr><th>Epoch</th><th class="n">Loss</th><th class="n">Validation</th></tr></thead><tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table>
      <h2>Provenance</h2>
      <dl>
      \(facts.map { "<dt>\($0.name)</dt><dd>\($0.text.markup)</dd>" }.joined(separator: "\n"))
      </dl>
      </main></body></html>

      """
  }

  private var rows: [String] {
    history.enumerated().map { number, epoch in
      let validation = epoch.validation?.shortened ?? ""
      return "<tr><td>\(number + 1)</td><td class=\"n\">\(epoch.loss.shortened)</td>"
        + "<td class=\"n\">\(validation)</td></tr>"
    }
  }

  private var facts: [(name: String, text: String)] {
    let provenance = Provenance(model: model, data: .files(inputs: data, expected: nil))
    return [
      ("Model", model), ("Data", data), ("Result", path), ("Weights", weights.joined(separator: ", ")),
      ("Made by", provenance.maker), ("Machine", provenance.machine),
    ]
  }
}
