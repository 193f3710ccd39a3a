import Foundation
import Testing

/// Many threads on one model, for a few seconds; `coreml-bench soak MODEL.mlmodelc 600` is the long form.
@Suite(.serialized) struct SoakTests {
  @Test func manyThreadsGetRightResultsInSteadyMemory() throws {
    let process = Process()
    process.executableURL = Sources.benchmark
    process.arguments = ["soak", try Models.affine.get().path(), "8", "64"]
    // Else the allocator's own memory for each thread, which is there in time, would hide the model's.
    process.environment = ProcessInfo.processInfo.environment.merging(["MALLOC_ARENA_MAX": "1"]) { _, new in new }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(report["threads"] as? Int == 64 && report["predictions"] as? Int ?? 0 > 64)
    #expect(report["wrong"] as? Int == 0 && report["failed"] as? Int == 0, "\(report)")
    // ThreadSanitizer remembers accesses, in memory of the process.
    if ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil { return }
    #expect(report["growth"] as? Double ?? 1 <= 0.01, "\(report)")
    #expect(process.terminationStatus == 0)
  }
}
