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
