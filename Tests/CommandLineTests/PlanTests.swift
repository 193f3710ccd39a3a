import Foundation
import Testing

/// `mlc plan`.
@Suite struct PlanTests {
  private static let classifier = MLCProcess.fixture("classifier.onnx")

  @Test func operationsOfAnONNXModel() throws {
    let run = try MLCProcess("plan", Self.classifier, "--target", "x86-64-v2", "--no-cache")
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n").map { $0.split(separator: " ").prefix(4).joined(separator: " ") }
    #expect(run.output.hasPrefix("target x86-64-v2, function main, program\n\nname"))
    #expect(lines.contains { $0.hasPrefix("name operation cost %") })
    #expect(lines.contains { $0.contains("linear") || $0.contains("matmul") }, "\(run.output)")
    #expect(lines.last == "GPU, Neural Engine: this")
  }

  @Test func compiledPackagesAreNotCompiledAgain() throws {
    let work = try Workspace()
    let package = work.path("c.mlmodelc")
    #expect(try MLCProcess("compile", Self.classifier, "-o", package, "--target", "x86-64-v2").status == 0)
    let report = try MLCProcess("plan", package, "--target", "x86-64-v2", "--json").json()
    #expect(report["target"] as? String == "x86-64-v2" && report["structure"] as? String == "program")
    let rows = try #require(report["operations"] as? [[String: Any]])
    #expect(abs(rows.compactMap { $0["weight"] as? Double }.reduce(0, +) - 1) < 1e-3)
    #expect(rows.contains { ($0["kernels"] as? [String])?.isEmpty == false && $0["preferred"] as? String == "CPU" })
    #expect((report["unsupported"] as? [String: String])?.keys.sorted() == ["GPU", "Neural Engine"])
    #expect(try MLCProcess("plan", package, "--target", "x86-64-v4").errors.contains("[runtime.unknown-device]"))
    #expect(try MLCProcess("plan", package, "--function", "none").errors.contains("[runtime.unknown-function]"))
  }

  /// What a package that carries its program says of its model, the ones compiled from it say too.
  @Test func structuresStayWithPrograms() throws {
    let work = try Workspace()
    let (first, second) = (work.path("a.mlmodelc"), work.path("b.mlmodelc"))
    let network = MLCProcess.coreMLFixture("pipeline_nn.mlmodel")
    #expect(try MLCProcess("compile", network, "-o", first, "--portable", "--target", "x86-64-v2").status == 0)
    #expect(try MLCProcess("compile", first, "-o", second, "--target", "x86-64-v2").status == 0)
    let report = try MLCProcess("plan", second, "--json").json()
    #expect(report["structure"] as? String == "pipeline")
    let text = try MLCProcess("plan", second)
    #expect(text.status == 0 && text.output.contains("\nmodel  "), "\(text.output)")
    let rows = try #require(report["operations"] as? [[String: Any]])
    #expect(rows.count > 1 && rows.allSatisfy { ($0["model"] as? String)?.isEmpty == false })
  }
}
