import MLCCore

/// A report as one page that needs nothing besides itself: HTML that is well-formed XML too, without scripts.
///
/// What stands in `header`, `styles` and `body` is markup; everything else is text.
struct ReportPage {
  /// The command that makes it, `mlc verify`.
  let command: String
  /// What it is about.
  let subject: String
  /// What is said first, under the subject.
  let header: String
  /// Style rules of this kind of report, beside those of all.
  let styles: String
  let body: String
  /// What the findings come from.
  let facts: [(name: String, text: String)]

  /// Throws `file.write`.
  func write(to path: String) throws(Diagnostic) { try AtomicFile.write(html, to: path) }

  private var html: String {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"/>
    <meta name="viewport" content="width=device-width, initial-scale=1"/>
    <title>\(command.markup): \(subject.markup)</title>
    <style>
    \(ReportStyle.sheet)\(styles)
    </style></head><body><main>
    <header><p class="kind">\(command.markup)</p>
    <h1>\(subject.markup)</h1>
    \(header)</header>
    \(body)
    <h2>Provenance</h2>
    <dl class="facts">
    \(facts.map { "<dt>\($0.name.markup)</dt><dd>\($0.text.markup)</dd>" }.joined(separator: "\n"))
    </dl>
    </main></body></html>

    """
  }
}
