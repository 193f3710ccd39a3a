import Foundation
import Testing

/// The page that `bench --report` writes.
@Suite struct BenchReportTests {
  private let model: BenchedClassifier

  init() throws { model = try BenchedClassifier() }

  /// Every figure of the page is one of the same run's JSON, rounded.
  @Test func figuresAreTheOnesMeasured() throws {
    let file = model.work.path("report.html")
    let json = try model.bench(model.package, "--iterations", "9", "--concurrency", "3", "--report", file)
    let page = try ReportReader(path: file)
    #expect(page.title == "mlc bench: c.mlmodelc")
    func milliseconds(_ value: Any?, _ digits: Int) -> String? {
      (value as? Double).map { String(format: "%.\(digits)f ms", $0) }
    }
    let (cached, uncached) = (json["cached"] as? [String: Any], json["uncached"] as? [String: Any])
    let expected = [
      "load": milliseconds(json["load_ms"], 2), "first": milliseconds(json["first_ms"], 2),
      "median": milliseconds(json["median_ms"], 3), "p95": milliseconds(json["p95_ms"], 3),
      "cached": milliseconds(cached?["load_ms"], 2), "uncached": milliseconds(uncached?["load_ms"], 2) ?? "–",
      "memory": (json["rss_peak_mb"] as? Double).map { String(format: "%.1f MB", $0) },
    ]
    for (name, figure) in expected {
      // Rounding twice may go the other way once.
      #expect(Self.isNear(page.figures[name], figure), "\(name): \(page.figures[name] ?? "none"), \(figure ?? "none")")
    }
    #expect(page.figures["cpu"] != nil && page.figures["throughput"]?.hasSuffix("/s") == true)
    #expect(page.figures["compile"] == nil)
    let facts = [("model", model.package), ("package", json["digest"] as? String), ("target", "x86-64-v2")]
    for (name, fact) in facts { #expect(page.facts[name]?.hasPrefix(fact ?? "none") == true, "\(name)") }
    try expectKernels(json, page)
  }

  private func expectKernels(_ json: [String: Any], _ page: ReportReader) throws {
    let steps = try #require(json["ops"] as? [[String: Any]])
    let rows = page.rows.filter { $0["kernel"] != nil }
    #expect(!steps.isEmpty && rows.count == steps.count)
    for step in steps {
      let (name, us) = (step["kernel"] as? String, step["us"] as? Double ?? -1)
      let row = try #require(
        rows.first { $0["kernel"] == name && Self.isNear($0["µs"], String(format: "%.1f", us)) },
        "\(name ?? "")"
      )
      let operations = (step["operations"] as? Double).map { String(format: "%.1f", $0 / us / 1000) }
      let shares = ["peak": "peak_share", "memory": "memory_share"].mapValues { key in
        (step[key] as? Double).map { String(format: "%.1f%%", $0 * 100) } ?? "–"
      }
      #expect(Self.isNear(row["GFLOP/s"], operations ?? "–"), "\(row)")
      for (column, share) in shares { #expect(Self.isNear(row[column], share), "\(row), \(share)") }
      #expect(row["nodes"] == step["nodes"] as? String)
    }
    for (column, key) in [("kind", "kinds"), ("operators", "operators")] {
      let sums = try #require((json["totals"] as? [String: Any])?[key] as? [[String: Any]])
      let shown = page.rows.filter { $0[column] != nil && $0["kernel"] == nil && $0[column] != "all" }
      #expect(shown.compactMap { $0[column] } == sums.map { $0[column] as? String }, "\(column)")
      for (row, sum) in zip(shown, sums) {
        #expect(Self.isNear(row["µs"], String(format: "%.1f", sum["us"] as? Double ?? -1)), "\(row)")
      }
    }
  }

  /// The same unit and number, but for the last digit that is shown.
  private static func isNear(_ shown: String?, _ expected: String?) -> Bool {
    guard let shown, let expected else { return false }
    if shown == expected { return true }
    func parts(_ text: String) -> (number: Double, digits: Int, unit: Substring)? {
      let number = text.prefix { $0.isNumber || $0 == "." || $0 == "-" }
      let digits = number.split(separator: ".").dropFirst().first?.count ?? 0
      return Double(number).map { ($0, digits, text.dropFirst(number.count)) }
    }
    guard let (a, digits, unit) = parts(shown), let (b, same, other) = parts(expected) else { return false }
    return digits == same && unit == other && abs(a - b) < 1.5 * pow(10, -Double(digits))
  }

  @Test func aSourceModelIsCalledByItsName() throws {
    let file = model.work.path("report.html")
    let json = try model.bench(BenchedClassifier.source, "--iterations", "3", "--no-cache", "--report", file)
    let page = try ReportReader(path: file)
    #expect(page.title == "mlc bench: classifier.onnx" && page.facts["model"] == BenchedClassifier.source)
    let time = try #require(json["compile_ms"] as? Double)
    #expect(time > 0 && Self.isNear(page.figures["compile"], String(format: "%.0f ms", time)))
  }
}
