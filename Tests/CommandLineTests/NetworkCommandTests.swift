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
    let inputs = work.path("in.json")
    try Data(#"{"x": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]}"#.utf8).write(to: URL(filePath: inputs))
    let said = try MLCProcess("predict", compiled, "--inputs", inputs)
    #expect(said.status == 0 && said.output.contains("red fox"), "\(said.output)\(said.errors)")
    let one = try MLCProcess("predict", compiled, "--inputs", inputs, "--top", "1", "--json").json()
    let rows = try #require(one["classes"] as? [[[String: Any]]])
    let outputs = try #require(one["outputs"] as? [[String: Any]])
    let label = outputs.first { $0["name"] as? String == "classLabel" }?["data"] as? [String]
    #expect(rows.count == 1 && rows[0].count == 1 && rows[0][0]["label"] as? String == label?.first)
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

  @Test func pipelinesAreOneModel() throws {
    let report = try MLCProcess("inspect", Self.fixture("pipeline_nn"), "--json").json()
    #expect((report["outputs"] as? [[String: Any]])?.count == 1)
    let verified = try MLCProcess("verify", Self.fixture("pipeline_nn"), "--target", "x86-64-v2")
    #expect(verified.status == 0, "\(verified.errors)")
  }

  /// What applications see of a model is changed on the way into a package, and stays in it.
  @Test func conversionsDescribeTheInterface() throws {
    let work = try Workspace()
    let (labels, package) = (work.path("labels.txt"), work.path("n.mlpackage"))
    try Data((0..<10).map { "class \($0)" }.joined(separator: "\n").utf8).write(to: URL(filePath: labels))
    let command = [
      "convert", Self.fixture("nn_cnn"), "-o", package, "--image-input", "x=bgr,scale=0.5,bias=1:2:3", "--classes",
      labels,
      "--metadata", "author=Someone", "--metadata", "own.key=1=2", "--rename", "x=picture",
    ]
    let converted = try MLCProcess(arguments: command)
    #expect(converted.status == 0, "\(converted.errors)")
    let said = try MLCProcess("inspect", package).output
    for part in ["picture", "an image (bgr)", "scores of 10 classes", "the class", "author: Someone", "own.key: 1=2"] {
      #expect(said.contains(part), "\(part):\n\(said)")
    }
    let again = work.path("again.mlpackage")
    #expect(try MLCProcess("convert", package, "-o", again, "--metadata", "author=").status == 0)
    #expect(try !MLCProcess("inspect", again).output.contains("Someone"))
  }

  /// Core ML has no program for it: its own words are all that changes.
  @Test func whatIsNoNetworkIsKept() throws {
    let work = try Workspace()
    let (model, package) = (Self.fixture("linear"), work.path("l.mlpackage"))
    let converted = try MLCProcess("convert", model, "-o", package, "--strict", "--metadata", "author=me")
    #expect(converted.status == 0 && converted.output.contains("written as it was read"), "\(converted.errors)")
    let said = try MLCProcess("inspect", package).output
    #expect(said.contains("author: me") && !said.contains("somebody"), "\(said)")
    for options in [["--rename", "x=z"], ["--precision", "fp16"], ["--input", "x=2"], ["--function", "f=\(model)"]] {
      let refused = try MLCProcess(arguments: ["convert", model, "-o", package] + options)
      #expect(refused.status == 2 && refused.errors.contains("\(options[0]): "), "\(refused.errors)")
      #expect(refused.errors.contains("[convert.kept]"), "\(refused.errors)")
    }
  }

  @Test func partsBecomeOnePackage() throws {
    let work = try Workspace()
    let (both, chain) = (work.path("both.mlpackage"), work.path("chain.mlpackage"))
    let network = Self.fixture("nn_cnn")
    let functions = try MLCProcess("convert", network, "-o", both, "--function", "again=\(network)", "--json").json()
    #expect(functions["deployment_target"] as? String == "iOS18")
    let alone = work.path("alone.mlpackage")
    let single = try MLCProcess("convert", network, "-o", alone, "--json").json()
    #expect(functions["weight_bytes"] as? Int == single["weight_bytes"] as? Int, "equal weights are shared")
    let renamed = work.path("renamed.mlpackage")
    let product = MLCProcess.fixture("classifier.onnx")
    #expect(try MLCProcess("convert", product, "--input", "x=1,4", "--rename", "x=other", "-o", renamed).status == 0)
    let chained = try MLCProcess("convert", alone, "--then", renamed, "-o", chain)
    #expect(chained.status == 0, "\(chained.errors)")
    let report = try MLCProcess("inspect", chain, "--json").json()
    #expect((report["inputs"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == ["x", "other"])
  }
}
