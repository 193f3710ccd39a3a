import Foundation
import Testing

/// Core ML's `.mlmodel` files through the command.
@Suite struct NetworkCommandTests {
  private static func fixture(_ name: String) -> String { MLCProcess.coreMLFixture("\(name).mlmodel") }

  @Test func aClassifierNamesClasses() throws {
    let work = try Workspace()
    let compiled = work.path("c.mlmodelc")
    let built = try MLCProcess("compile", Self.fixture("nn_classifier"), "-o", compiled, "--target", "x86-64-v2")
    #expect(built.status == 0, "\(built.errors)")
    #expect(built.errors.contains("the classifier gives probabilities"))
    let inputs = work.path("in.json")
    try Data(#"{"x": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]}"#.utf8).write(to: URL(filePath: inputs))
    let options = ["--inputs", inputs, "--labels", "metadata:classes", "--top", "3"]
    let said = try MLCProcess(arguments: ["predict", compiled] + options)
    #expect(said.status == 0 && said.output.contains("red fox"), "\(said.output)\(said.errors)")
  }

  @Test func networksBecomePrograms() throws {
    let work = try Workspace()
    let package = work.path("n.mlpackage")
    #expect(try MLCProcess("convert", Self.fixture("nn_cnn_quant8"), "-o", package).status == 0)
    let report = try MLCProcess("inspect", package, "--json").json()
    let original = try MLCProcess("inspect", Self.fixture("nn_cnn_quant8"), "--json").json()
    for key in ["inputs", "outputs", "operators"] {
      #expect(try MLCProcess.part(report, key) == MLCProcess.part(original, key), "\(key)")
    }
    let verified = try MLCProcess("verify", Self.fixture("nn_cnn_quant8"), "--target", "x86-64-v2")
    #expect(verified.status == 0, "\(verified.errors)")
  }

  @Test func everyEnumeratedShapeIsVerified() throws {
    let command = ["verify", Self.fixture("nn_enumerated_image"), "--target", "x86-64-v2", "--json"]
    let report = try MLCProcess(arguments: command).json()
    let sizes = try #require(report["sizes"] as? [[String: Int]])
    #expect(sizes == [["x_d2": 8, "x_d3": 8], ["x_d2": 8, "x_d3": 16], ["x_d2": 16, "x_d3": 8]])
    let results = try #require(report["results"] as? [[String: Any]])
    #expect(results.compactMap { $0["count"] as? Int } == [192, 384, 384] && report["passed"] as? Bool == true)
    let one = try MLCProcess(arguments: command + ["--size", "x_d2=16"]).json()
    #expect(one["sizes"] as? [[String: Int]] == [["x_d2": 16, "x_d3": 8]])
  }

  @Test func otherModelsAreUnsupported() throws {
    let run = try MLCProcess("inspect", Self.fixture("pipeline_nn"))
    #expect(run.status == 4 && run.errors.contains("a pipeline"), "\(run.errors)")
  }
}
