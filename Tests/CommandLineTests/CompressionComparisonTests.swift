import Foundation
import Testing

/// Compression beside coremltools', on a sample of one model; Tests/Conformance/compare_compression.py has the whole
/// comparison.
@Suite struct CompressionComparisonTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path()

  @Test func errorsAreNoLargerThanThoseOfCoremltools() throws {
    let model = "\(Self.root).cache/zoo/minilm_l6_128.onnx"
    let given = ProcessInfo.processInfo.environment["MLC_PYTHON"]
    let python = given ?? "\(Self.root).venv/bin/python"
    try #require(FileManager.default.fileExists(atPath: model), "\(model) is absent: run 'make corpora'")
    let canRun = FileManager.default.isExecutableFile(atPath: python)
    try #require(canRun, "\(python) is absent: 'make corpora' makes it, or set MLC_PYTHON")
    let log = FileManager.default.temporaryDirectory.appending(path: "mlc-compare-\(UUID().uuidString)")
    try Data().write(to: log)
    defer { try? FileManager.default.removeItem(at: log) }
    let process = Process()
    process.executableURL = URL(filePath: python)
    process.arguments = [
      "\(Self.root)Tests/Conformance/compare_compression.py", "--mlc", MLCProcess.executable.path(), "--every", "5",
      "--largest", "1000000", "--settings", "palette4,int8,int4-blocks,prune", model,
    ]
    process.standardOutput = try FileHandle(forWritingTo: log)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let text = String(decoding: try Data(contentsOf: log), as: UTF8.self)
    #expect(process.terminationStatus == 0, "\(text)")
    #expect(text.contains("palette4:") && text.contains("prune:"), "\(text)")
  }
}
