import Foundation
import Testing

/// ONNX' own backend tests on the interpreter.
@Suite struct ONNXBackendTests {
  private static let list = Corpus.testFolder.appendingPathComponent("expected_passes.txt")

  /// The names of cases that pass.
  static func expectedPasses() throws -> [String] {
    try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// A result that is wrong fails, and so does a case of `expected_passes.txt` that does not pass. With
  /// `MLC_RECORD_PASSES` set the list is written instead.
  @Test func interpreter() throws {
    try Corpus.require(Corpus.cases)
    var report = ConformanceReport()
    for item in BackendCase.all { report.add(item, item.play()) }
    print(report.description)
    if ProcessInfo.processInfo.environment["MLC_VERBOSE"] != nil {
      for (name, why) in report.unsupported { print("unsupported \(name): \(why)") }
    }
    let wrong = report.failed.filter { ConformanceExceptions.reasons[$0.name] == nil }
    #expect(wrong.isEmpty, "\(wrong.map { "\($0.name): \($0.why)" }.joined(separator: "\n"))")
    let passed = Set(report.passed)
    let stale = ConformanceExceptions.reasons.keys.filter { passed.contains($0) }.sorted()
    #expect(stale.isEmpty, "exceptions that pass")
    if ProcessInfo.processInfo.environment["MLC_RECORD_PASSES"] != nil {
      try (report.passed.joined(separator: "\n") + "\n").write(to: Self.list, atomically: true, encoding: .utf8)
      return
    }
    let expected = try Self.expectedPasses()
    #expect(!expected.isEmpty)
    #expect(expected.filter { !passed.contains($0) } == [], "cases that passed before")
  }
}
