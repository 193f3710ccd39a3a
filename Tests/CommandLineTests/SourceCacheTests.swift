import Foundation
import Testing

/// Source models that are run: compiled once, and found again while nothing that the code follows from changes.
@Suite struct SourceCacheTests {
  private let workspace: Workspace
  private let cache: [String: String]
  private let model: String
  private let archive: String

  init() throws {
    workspace = try Workspace()
    cache = ["MLC_CACHE": workspace.path("cache")]
    model = try workspace.copy("classifier.onnx")
    archive = MLCProcess.fixture("classifier.npz")
  }

  private func predict(_ more: String..., environment: [String: String] = [:]) throws -> MLCProcess {
    let run = try MLCProcess(
      arguments: ["predict", model, "--inputs", archive, "--json"] + more,
      environment: cache.merging(environment) { $1 }
    )
    try #require(run.status == 0, "\(run.errors)")
    return run
  }

  private func entries() throws -> [String] {
    let report = try MLCProcess("cache", "list", "--json", environment: cache).json()
    let rows = try #require(report["packages"] as? [[String: Any]])
    #expect(rows.allSatisfy { $0["problem"] is NSNull })
    return rows.compactMap { $0["path"] as? String }
  }

  private func isKept(_ run: MLCProcess) -> Bool { run.errors.contains("kept for the next time") }
  private func isFound(_ run: MLCProcess) -> Bool { run.errors.contains("as compiled before") }

  @Test func wrongInputsAreToldBeforeTheWork() throws {
    let run = try MLCProcess("predict", model, "--input", "y=\(archive)", environment: cache)
    #expect(run.status == 2 && run.errors.contains("[input.unknown]") && !isKept(run), "\(run.errors)")
    #expect(try entries().isEmpty)
  }

  @Test func theSecondRunCompilesNothing() throws {
    let first = try predict()
    #expect(isKept(first) && !isFound(first))
    let second = try predict()
    #expect(isFound(second) && !isKept(second))
    #expect(first.output == second.output)
    #expect(try entries().count == 1)
  }

  @Test func benchAndVerifyFindItToo() throws {
    _ = try predict()
    let bench = try MLCProcess("bench", model, "--iterations", "1", environment: cache)
    #expect(bench.status == 0 && isFound(bench), "\(bench.errors)")
    let target = try #require(try MLCProcess("devices", "--json").json()["host"] as? String)
    let verify = try MLCProcess("verify", model, "--target", target, environment: cache)
    #expect(verify.status == 0 && isFound(verify), "\(verify.errors)")
    #expect(try entries().count == 1)
  }

  @Test func anotherTargetIsAnotherEntry() throws {
    _ = try predict("--target", "x86-64-v2")
    let host = try #require(try MLCProcess("devices", "--json").json()["host"] as? String)
    let run = try predict()
    #expect(isFound(run) == (host == "x86-64-v2"))
    #expect(isFound(try predict("--target", "x86-64-v2")))
  }

  /// What counts is what the file holds, not its name or its times.
  @Test func anotherModelIsCompiled() throws {
    _ = try predict()
    let before = try Data(contentsOf: URL(filePath: model))
    // A weight's lowest bits.
    var bytes = [UInt8](before)
    let weight = withUnsafeBytes(of: Float(1.5219693).bitPattern.littleEndian) { [UInt8]($0) }
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: weight) })
    bytes[place] ^= 1
    try Data(bytes).write(to: URL(filePath: model))
    #expect(isKept(try predict()))
    try before.write(to: URL(filePath: model))
    #expect(isFound(try predict()))
    #expect(try entries().count == 2)
  }

  @Test func nothingIsKeptWithoutTheCache() throws {
    for _ in 0..<2 {
      let run = try predict("--no-cache")
      #expect(!isKept(run) && !isFound(run), "\(run.errors)")
    }
    #expect(try entries().isEmpty)
  }

  @Test func aDamagedEntryIsMadeAgain() throws {
    let first = try predict()
    let code = try #require(
      FileManager.default.enumerator(atPath: workspace.path("cache"))?.compactMap { $0 as? String }
        .first { $0.hasSuffix("kernels.so") }
    )
    // As long as it was.
    let file = URL(filePath: workspace.path("cache/\(code)"))
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: file)
    let second = try predict()
    #expect(isKept(second) && second.output == first.output, "\(second.errors)")
    #expect(isFound(try predict()))
  }

  @Test func aFolderThatCannotBeUsedIsNoError() throws {
    let run = try predict(environment: ["MLC_CACHE": "/proc/no/such/folder"])
    #expect(!isKept(run) && run.errors.contains("is not kept"), "\(run.errors)")
  }
}
