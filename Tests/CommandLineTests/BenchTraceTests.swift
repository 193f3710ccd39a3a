import Foundation
import Testing

/// The spans of a measurement, in the file that `bench --trace` names.
@Suite struct BenchTraceTests {
  private let classifier = MLCProcess.fixture("classifier.onnx")

  @Test func writesSpansAndMemory() throws {
    let work = try Workspace()
    let file = work.path("trace.json")
    let arguments = ["--iterations", "3", "--warmup", "2", "--trace", file]
    let run = try MLCProcess(arguments: ["bench", classifier] + arguments)
    #expect(run.status == 0, "\(run.errors)")
    let data = try Data(contentsOf: URL(filePath: file))
    let events = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    let spans = events.filter { $0["ph"] as? String == "X" }
    let names = spans.compactMap { $0["name"] as? String }
    // The first one, and those with the files in memory; without, where the system forgets them.
    let loads = names.count { $0 == "load" }
    #expect(loads > 1)
    // The first one of each, those before, and those measured.
    #expect(names.count { $0 == "predict" } == loads + 2 + 3)
    #expect(names.contains { $0.hasPrefix("mlc_") })
    // The whole measurement is one span, which holds all others.
    func start(_ span: [String: Any]) -> Double { span["ts"] as? Double ?? -1 }
    func end(_ span: [String: Any]) -> Double { start(span) + (span["dur"] as? Double ?? 0) }
    let whole = try #require(spans.first { $0["name"] as? String == "bench" })
    #expect(spans.allSatisfy { start($0) >= start(whole) && end($0) <= end(whole) + 0.002 })
    let memory = events.filter { $0["ph"] as? String == "C" && $0["name"] as? String == "memory" }
    #expect(!memory.isEmpty)
    #expect(memory.allSatisfy { (($0["args"] as? [String: Int])?["resident MB"] ?? 0) > 0 })
  }

  @Test func saysThatTheFileCannotBeWritten() throws {
    let run = try MLCProcess("bench", classifier, "--trace", "/nowhere/trace.json")
    #expect(run.status != 0 && run.errors.contains("/nowhere/trace.json"))
  }
}
