import Foundation
import Testing

/// An application whose environment names a file for spans, and one that is told of settings without effect.
@Suite struct TraceTests {
  /// What it says on standard error. How it ends is not looked at: a soak of a second finds memory that still grows.
  private func run(_ arguments: [String], _ environment: [String: String]) throws -> String {
    let process = Process()
    process.executableURL = Sources.benchmark
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let folder = try Workspace()
    let errors = folder.url.appending(path: "errors")
    try Data().write(to: errors)
    process.standardError = try FileHandle(forWritingTo: errors)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return String(decoding: try Data(contentsOf: errors), as: UTF8.self)
  }

  @Test func loadsAndPredictionsAreSpans() throws {
    let folder = try Workspace()
    let file = folder.url.appending(path: "trace.json")
    let model = try Models.affine.get().path()
    #expect(try run(["predictions", model], ["MLC_TRACE": file.path()]).isEmpty)
    let events = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [[String: Any]] ?? []
    let spans = events.filter { $0["ph"] as? String == "X" }
    let loads = spans.filter { $0["name"] as? String == "load" }
    #expect(loads.count == 1)
    let details = try #require(loads.first?["args"] as? [String: String])
    #expect(details["package"]?.hasSuffix("affine.mlmodelc") == true)
    #expect(details["preparation"]?.hasSuffix("as compiled") == true)
    let predictions = spans.filter { $0["name"] as? String == "predict" }
    // One before seven rounds of thirty-two one after the other and as many together.
    #expect(predictions.count == 1 + 7 * 64)
    #expect(predictions.allSatisfy { ($0["dur"] as? Double ?? -1) > 0 && $0["tid"] is Int })
  }

  /// A prediction's kernels lie within it one after the other, and take most of it.
  @Test func kernelsAreSpans() throws {
    let folder = try Workspace()
    let file = folder.url.appending(path: "trace.json")
    let model = try Models.heavy.get().path()
    #expect(try run(["predictions", model], ["MLC_TRACE": file.path(), "MLC_THREADS": "1"]).isEmpty)
    let events = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [[String: Any]] ?? []
    let spans = events.filter { $0["ph"] as? String == "X" }.compactMap { Span($0) }
    var shares: [Double] = []
    for prediction in spans where prediction.name == "predict" {
      let kernels = spans.filter { $0.category == "kernel" && $0.thread == prediction.thread && prediction.holds($0) }
      #expect(!kernels.isEmpty && kernels.allSatisfy { $0.name.hasPrefix("mlc_") && $0.details["nodes"] != nil })
      #expect(kernels.allSatisfy { $0.details["device"]?.hasPrefix("x86-64") == true })
      for (first, second) in zip(kernels, kernels.dropFirst()) { #expect(first.end <= second.start + Span.rounding) }
      shares.append(kernels.reduce(0) { $0 + $1.end - $1.start } / (prediction.end - prediction.start))
    }
    #expect(shares.count == 1 + 7 * 64)
    // Of most: others have been interrupted.
    #expect(shares.sorted()[shares.count / 2] > 0.95)
    let memory = events.filter { $0["ph"] as? String == "C" && $0["name"] as? String == "memory" }
    #expect(!memory.isEmpty)
    #expect(memory.allSatisfy { (($0["args"] as? [String: Int])?["resident MB"] ?? 0) > 0 })
  }

  private struct Span {
    let name: String, category: String?, thread: Int
    /// Microseconds.
    let start: Double, end: Double
    let details: [String: String]
    static let rounding = 0.002

    init?(_ event: [String: Any]) {
      guard let name = event["name"] as? String, let thread = event["tid"] as? Int, let start = event["ts"] as? Double,
        let duration = event["dur"] as? Double
      else { return nil }
      (self.name, self.thread, category) = (name, thread, event["cat"] as? String)
      (self.start, end) = (start, start + duration)
      details = event["args"] as? [String: String] ?? [:]
    }

    func holds(_ other: Span) -> Bool { other.start >= start - Span.rounding && other.end <= end + Span.rounding }
  }

  /// More threads than contexts, of which there is one for each core and four at least.
  @Test func waitsAreSpans() throws {
    let folder = try Workspace()
    let file = folder.url.appending(path: "trace.json")
    let threads = ProcessInfo.processInfo.activeProcessorCount + 8
    _ = try run(["soak", Models.heavy.get().path(), "1", "\(threads)"], ["MLC_TRACE": file.path()])
    let events = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [[String: Any]] ?? []
    let waits = events.filter { $0["name"] as? String == "wait for one in flight" }
    #expect(!waits.isEmpty && waits.allSatisfy { ($0["dur"] as? Double ?? 0) > 0 })
    #expect(Set(events.compactMap { $0["tid"] as? Int }).count >= threads)
  }

  @Test func filesThatCannotBeWrittenAreNamedOnce() throws {
    let model = try Models.affine.get().path()
    let errors = try run(["predictions", model], ["MLC_TRACE": "/nowhere/trace.json"])
    #expect(errors.split(separator: "\n").count == 1 && errors.contains("/nowhere/trace.json"), "\(errors)")
  }
}
