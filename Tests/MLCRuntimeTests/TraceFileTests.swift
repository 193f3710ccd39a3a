import Foundation
import MLCCore
import MLCRuntime
import Testing

@Suite struct TraceFileTests {
  private func events(_ url: URL) throws -> [[String: Any]] {
    try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [[String: Any]])
  }

  /// Read while spans are still written.
  @Test func isWholeBehindEverySpan() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: url) }
    let file = try TraceFile(path: url.path())
    #expect(try events(url).count == 1)
    for index in 0..<20 {
      file.write("load", from: 1_000_500, to: 3_000_007, [("package", "a\"\n\(index)")])
      #expect(try events(url).count == index + 2)
    }
    let last = try #require(try events(url).last)
    #expect(last["name"] as? String == "load" && last["ph"] as? String == "X")
    #expect(last["ts"] as? Double == 1000.5 && last["dur"] as? Double == 1999.507)
    #expect((last["args"] as? [String: String])?["package"] == "a\"\n19")
    #expect(last["pid"] as? Int == Int(ProcessInfo.processInfo.processIdentifier))
  }

  @Test func takesSpansOfManyThreads() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: url) }
    let file = try TraceFile(path: url.path())
    DispatchQueue.concurrentPerform(iterations: 200) { index in
      file.write("predict", from: UInt64(index) * 1000, to: UInt64(index) * 1000 + 5)
    }
    let times = try events(url).compactMap { $0["ts"] as? Double }
    #expect(Set(times) == Set((0..<200).map { Double($0) }) && times.count == 200)
  }

  @Test func saysThatItCannotBeWritten() {
    #expect { try TraceFile(path: "/nowhere/trace.json") } throws: { ($0 as? Diagnostic)?.id == "file.write" }
  }
}
