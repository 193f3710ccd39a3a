import Foundation
import Testing

/// Tables on a terminal are as wide as it, and everywhere else as wide as what they hold.
@Suite struct TerminalWidthTests {
  @Test func tablesAreCutToTheTerminal() throws {
    let work = try Workspace()
    let package = work.path("c.mlmodelc")
    let model = MLCProcess.fixture("classifier.onnx")
    #expect(try MLCProcess("compile", model, "-o", package, "--target", "x86-64-v2").status == 0)
    let bench = ["bench", package, "--ops", "--iterations", "1", "--warmup", "0", "--threads", "1"]
    let whole = try MLCProcess(arguments: bench)
    func isHeader(_ line: Substring) -> Bool { line.contains("GFLOP/s  ") && line.contains("kernel") }
    let header = try #require(whole.output.split(separator: "\n").first(where: isHeader))
    #expect(header.contains("result") && whole.output.contains("fp32[1, 3]"), "\(whole.output)")
    let widest = try #require(whole.output.split(separator: "\n").map(\.count).max())
    // util-linux's `script` runs a command on a terminal of its own.
    for width in [widest - 1, widest - 6] {
      let command = "stty cols \(width) rows 40; \(([MLCProcess.executable.path()] + bench).joined(separator: " "))"
      let run = try MLCProcess(script: "script -qec \"$2\" /dev/null", [command])
      let lines = run.output.split(whereSeparator: \.isNewline)
      #expect(lines.contains(where: isHeader) && lines.contains { $0.contains("…") }, "\(run.output)")
      #expect(lines.allSatisfy { $0.count <= width }, "\(width): \(run.output)")
    }
  }
}
