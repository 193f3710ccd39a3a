import Foundation
import TestSupport
import Testing

/// Each problem that only a command line has, with the id and the exit code that it ends with.
@Suite struct RejectedCommandTests {
  private struct Row {
    var id: String, status: Int32, arguments: [String], environment: [String: String] = [:]

    init(_ id: String, _ status: Int32, _ arguments: String..., environment: [String: String] = [:]) {
      (self.id, self.status, self.arguments, self.environment) = (id, status, arguments, environment)
    }
  }

  private static func fixture(_ name: String) -> String { MLCProcess.fixture(name) }
  private static let classifier = fixture("classifier.onnx")
  private static let inputs = fixture("classifier.npz")

  private func play(_ rows: [Row]) throws {
    for row in rows {
      let run = try MLCProcess(arguments: row.arguments, environment: row.environment)
      let isRight = run.status == row.status && run.errors.contains("[\(row.id)]") && run.output.isEmpty
      #expect(isRight, "\(row.id): \(run.status)\n\(run.output)\(run.errors)")
    }
  }

  @Test func optionsOfOneCommand() throws {
    let work = try Workspace()
    let out = work.path("out.mlmodelc")
    try play([
      Row("bench.against", 2, "bench", Self.classifier, "--against", Self.classifier),
      Row("bench.count", 2, "bench", Self.classifier, "--iterations", "0"),
      Row("bench.count", 2, "bench", Self.classifier, "--concurrency", "0"),
      Row("compiler.unusable", 5, "compile", Self.classifier, "-o", out, environment: ["MLC_CC": "/bin/false"]),
      Row("command.arguments", 2, "compile"),
      Row("command.arguments", 2, "bench", Self.classifier, "--threads", "x"),
      Row("command.arguments", 2, "inspect", Self.classifier, "--frobnicate"),
      Row("command.unknown", 2, "compil", Self.classifier),
      Row("convert.parts", 2, "convert", Self.classifier, "-o", out, "--function", "x"),
      Row("convert.parts", 2, "convert", Self.classifier, "-o", out, "--function", "main=\(Self.classifier)"),
      Row("convert.parts", 2, "convert", Self.classifier, "--function", "a=b", "--then", "c"),
      Row("interface.classes", 2, "convert", Self.classifier, "-o", out, "--classes", Self.fixture("not-a-model.txt")),
      Row("interface.image", 2, "convert", Self.classifier, "-o", out, "--image-input", "x=rgb"),
      Row("interface.name", 2, "convert", Self.classifier, "-o", out, "--rename", "nobody=x"),
      Row("interface.syntax", 2, "convert", Self.classifier, "-o", out, "--metadata", "x"),
      Row("interface.syntax", 2, "convert", Self.classifier, "-o", out, "--image-input", "x=cmyk"),
      Row("interface.syntax", 2, "convert", Self.classifier, "-o", out, "--scores", "y"),
      Row("convert.same", 2, "convert", Self.classifier, "-o", Self.classifier),
      Row("convert.target", 2, "convert", Self.classifier, "-o", out, "--minimum-deployment-target", "iOS3"),
      Row("graph.repeated-name", 3, "compile", Self.fixture("twice.onnx"), "-o", out),
      Row("inspect.flags", 2, "inspect", Self.classifier, "--text", "--svg"),
      Row("inspect.flags", 2, "inspect", Self.inputs, "--coverage"),
      Row("inspect.no-graph", 2, "inspect", Self.inputs, "--text"),
      Row("limit.syntax", 2, "compile", Self.classifier, "-o", out, "--limit-memory", "2 apples"),
      Row("limit.syntax", 2, "inspect", Self.classifier, "--limit-time", "0s"),
      Row("verify.onnx-tests", 2, "verify", Self.classifier, "--onnx-tests", "."),
      Row("verify.onnx-tests", 3, "verify", "--onnx-tests", Self.classifier),
      Row("pass.unknown", 2, "compile", Self.classifier, "-o", out, "--print-after", "frobnicate"),
      Row("target.unknown", 2, "compile", Self.classifier, "-o", out, "--target", "z80"),
      Row("target.arithmetic", 2, "compile", Self.classifier, "--target", "x86-64-v4", "--arithmetic", "bf16"),
      Row("target.unknown", 2, "compile", Self.classifier, "-o", out, "--target", ""),
    ])
    #expect(work.contents.isEmpty)
  }

  @Test func inputsThatDoNotFit() throws {
    let picture = MLCProcess.fixtures.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "MLCTensorIOTests/Fixtures/rgb.png").path()
    let labels = ["predict", Self.classifier, "--reference", "--inputs", Self.inputs]
    func labelled(_ id: String, _ status: Int32, _ options: String...) -> Row {
      var row = Row(id, status)
      row.arguments = labels + options
      return row
    }
    try play([
      Row(
        "image.syntax",
        2,
        "predict",
        Self.classifier,
        "--reference",
        "--input",
        "x=\(picture)",
        "--image-mean",
        "red"
      ),
      Row("input.dtype", 2, "inspect", Self.classifier, "--input", "x=1,4:int64"),
      Row("input.missing", 2, "predict", Self.classifier, "--reference"),
      Row(
        "input.shape",
        3,
        "predict",
        Self.classifier,
        "--reference",
        "--input",
        "x=\(Self.fixture("classifier.misshapen.npz"))"
      ),
      Row("custom.encoding", 3, "inspect", Self.classifier, "--custom", "c=\(Self.inputs)"),
      Row("custom.syntax", 2, "inspect", Self.classifier, "--custom", "c"),
      Row("input.syntax", 2, "predict", Self.classifier, "--reference", "--input", "x"),
      Row("input.unknown", 2, "predict", Self.classifier, "--reference", "--input", "z=\(Self.inputs)"),
      labelled("labels.count", 2, "--labels", Self.fixture("not-a-model.txt")),
      labelled("labels.encoding", 3, "--labels", Self.inputs),
      labelled("labels.missing", 2, "--labels", "metadata:names"),
      Row(
        "labels.shape",
        3,
        "predict",
        Self.fixture("argmax.onnx"),
        "--reference",
        "--inputs",
        Self.inputs,
        "--top",
        "1"
      ),
      labelled("labels.top", 2, "--top", "0"),
    ])
  }

  @Test func verificationsThatCannotBe() throws {
    let work = try Workspace()
    let package = work.path("c.mlmodelc")
    try #require(try MLCProcess("compile", Self.classifier, "-o", package, "--target", "x86-64-v2").status == 0)
    let empty = work.path("empty")
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
    let misnamed = Self.fixture("classifier.misnamed.npz")
    try play([
      Row("bench.precision", 2, "bench", package, "--precision", "fp16"),
      Row("format.compiled", 2, "compile", package),
      Row("output.unknown", 2, "verify", Self.classifier, "--inputs", Self.inputs, "--expected", misnamed),
      Row("package.no-program", 3, "inspect", package, "--text"),
      Row("size.syntax", 2, "verify", Self.classifier, "--size", "batch"),
      Row("size.unknown", 2, "verify", Self.classifier, "--size", "width=1"),
      Row("precision.inputs", 2, "compile", Self.classifier, "--inputs", Self.inputs),
      Row("size.unused", 2, "verify", Self.classifier, "--inputs", Self.inputs, "--size", "batch=1"),
      Row("verify.expected", 3, "verify", Self.classifier, "--inputs", Self.inputs, "--expected", empty),
      Row("verify.inputs", 2, "verify", Self.classifier, "--expected", Self.fixture("classifier.expected.npz")),
      Row("verify.interface", 2, "verify", Self.fixture("sum.onnx"), package),
      Row("verify.interface", 2, "verify", Self.fixture("sum.onnx"), Self.classifier),
    ])
    // The same package, for a processor that does not exist.
    let manifest = URL(filePath: package).appending(path: "manifest.json")
    let text = try String(contentsOf: manifest, encoding: .utf8).replacing("\"sse4.2\"", with: "\"flux_capacitor\"")
    try text.write(to: manifest, atomically: true, encoding: .utf8)
    try PackageSealing.sealManifest(of: package)
    try play([Row("verify.no-target", 4, "verify", Self.classifier, package)])
    let run = try MLCProcess("verify", Self.classifier, package)
    #expect(run.errors.contains("\n  note: x86-64-v2: it requires flux_capacitor"), "\(run.errors)")
  }
}
