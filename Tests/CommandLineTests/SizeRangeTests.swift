import Foundation
import Testing

/// Ranges and choices that `--input` and mlc.json hold open sizes to, and sizes without an end, which Apple's loader
/// refuses.
@Suite struct SizeRangeTests {
  private let workspace: Workspace
  private let out: String
  private static let model = MLCProcess.fixture("argmax.onnx")

  init() throws {
    workspace = try Workspace()
    out = workspace.path("out.mlpackage")
  }

  @Test(arguments: [
    ("x=1..8,4", "1 to 8"), ("x= 2 .. 8 ,4", "2 to 8"), ("x={8,1},4", "8 or 1"), ("x={1,3,8},4:fp32", "1, 3 or 8"),
  ])
  func packagesKeepThem(binding: String, sizes: String) throws {
    let written = try MLCProcess("convert", Self.model, "-o", out, "--input", binding, "--strict")
    #expect(written.status == 0, "\(written.errors)")
    let shown = try MLCProcess("inspect", out).output
    #expect(shown.contains(sizes), "\(shown)")
  }

  @Test func aRangeOfOneSizeIsThatSize() throws {
    for binding in ["x=3..3,4", "x={3},4"] {
      #expect(try MLCProcess("convert", Self.model, "-o", out, "--input", binding).status == 0)
      #expect(try MLCProcess("inspect", out).output.contains("fp32[3, 4]"))
    }
  }

  /// Core ML has one or the other for an input: choices become a range there, and that is said.
  /// mlc itself keeps to them.
  @Test func choicesBesideRanges() throws {
    let model = MLCProcess.fixture("documented.onnx")
    let mixed = try MLCProcess("convert", model, "-o", out, "--input", "x=1,3,{32,64},16..48", "--strict", "--json")
    #expect(mixed.status == 0, "\(mixed.errors)")
    let notes = try #require(try mixed.json()["notes"] as? [String])
    #expect(notes.contains { $0.hasPrefix("input x:") && $0.contains("range") }, "\(notes)")
    let shown = try MLCProcess("inspect", out).output
    #expect(shown.contains("32 or 64") && shown.contains("16 to 48"), "\(shown)")
    let shape = "x={1,2},3,{32,64},{16,48}"
    let listed = try MLCProcess("convert", model, "-o", out, "--input", shape, "--strict", "--json")
    #expect(try listed.json()["notes"] as? [String] == [], "\(listed.output)")
    #expect(try MLCProcess("inspect", out).output.contains("1 × 32 × 16"))
  }

  @Test func sizesWithoutAnEndAreRefusedByApple() throws {
    let loose = try MLCProcess("convert", Self.model, "-o", out, "--json")
    #expect(loose.status == 0)
    let rows = try #require(try loose.json()["refused_by_apple"] as? [[String: Any]])
    let row = try #require(rows.first { $0["op"] as? String == "input" })
    #expect(row["nodes"] as? [String] == ["x"])
    let advice = try #require(row["advice"] as? String)
    #expect(advice.contains("--input 'x=1..1024,4'"))
    try FileManager.default.removeItem(atPath: out)
    let strict = try MLCProcess("convert", Self.model, "-o", out, "--strict")
    #expect(strict.status == 4 && strict.errors.contains("[coreml.refused]") && strict.errors.contains("x=1..1024,4"))
    #expect(workspace.contents.isEmpty)
  }

  @Test func codeTakesThemAlone() throws {
    let code = workspace.path("out.mlmodelc")
    let made = try MLCProcess("compile", Self.model, "-o", code, "--input", "x={2,5},4")
    #expect(made.status == 0, "\(made.errors)")
    #expect(try MLCProcess("verify", Self.model, code, "--input", "x={2,5},4").status == 0)
    #expect(try MLCProcess("bench", code, "--iterations", "1", "--size", "batch=5").status == 0)
    let other = try MLCProcess("bench", code, "--iterations", "1", "--size", "batch=3")
    #expect(other.status != 0 && other.errors.contains("2 or 5"), "\(other.errors)")
  }

  /// Whatever the model is written in, and wherever the range is given.
  @Test func sizesThatAreOneStayOne() throws {
    func shown(_ model: String, _ bindings: String...) throws -> String {
      let shown = try MLCProcess(arguments: ["inspect", model] + bindings.flatMap { ["--input", $0] })
      #expect(shown.status == 0, "\(shown.errors)")
      return shown.output
    }
    let model = MLCProcess.fixture("sum.onnx")
    for bindings in [["a=2..8", "b=2..8"], ["a=2..8", "b=?"], ["a=?", "b=2..8"]] {
      let text = try shown(model, bindings[0], bindings[1])
      #expect(text.contains("2 to 8") && text.contains("fp32[n]") && !text.contains("_0"), "\(text)")
    }
    #expect(try shown(model, "a=2..8", "b=4").contains("fp32[4]"))
    #expect(try shown(model, "a=m", "b=2..8").contains("fp32[m]"))
    let written = try MLCProcess("convert", model, "-o", out, "--input", "a={2,5}", "--input", "b={2,5}", "--strict")
    #expect(written.status == 0, "\(written.errors)")
    let text = try shown(out, "a={2,5}", "b={2,5}")
    #expect(text.contains("2 or 5") && !text.contains("_0"), "\(text)")
    let product = try shown(MLCProcess.fixture("constrained.onnx"), "x=?,1..9", "w=1..9,3")
    #expect(product.contains("fp32[rows, inner]") && product.contains("fp32[inner, 3]"), "\(product)")
  }

  @Test(arguments: [["a=2..8", "b=1..8"], ["a=1..8", "b=2..8"], ["a=2..8", "b=9"], ["a={2,4}", "b={4,2}"]])
  func contradictingRangesOfOneSize(bindings: [String]) throws {
    let model = MLCProcess.fixture("sum.onnx")
    let run = try MLCProcess("convert", model, "-o", out, "--input", bindings[0], "--input", bindings[1])
    #expect(run.status == 2 && run.errors.contains("[input.shape]"), "\(run.errors)")
    #expect(workspace.contents.isEmpty)
  }

  @Test(arguments: [
    "x=8..1,4", "x={},4", "x={1,1},4", "x=1..,4", "x=..8,4", "x={1,-2},4", "x={1,2,4", "x=1...4,4", "x={a},4",
  ])
  func malformed(binding: String) throws {
    let run = try MLCProcess("convert", Self.model, "-o", out, "--input", binding)
    #expect(run.status == 2 && run.errors.contains("[input.syntax]"), "\(run.errors)")
    #expect(workspace.contents.isEmpty)
  }

  @Test func tooManyShapes() throws {
    let many = (1...40).map { "\($0)" }.joined(separator: ",")
    let run = try MLCProcess("convert", Self.model, "-o", out, "--input", "x={\(many)},{\(many)}")
    #expect(run.status == 2 && run.errors.contains("shapes to choose from"))
  }

  @Test func whatAPackageFixesStays() throws {
    #expect(try MLCProcess("convert", Self.model, "-o", out, "--input", "x=1..8,4").status == 0)
    let run = try MLCProcess("convert", out, "-o", workspace.path("other.mlpackage"), "--input", "x=1..8,2..4")
    #expect(run.status == 2 && run.errors.contains("[input.shape]"), "\(run.errors)")
  }

  /// A package's own bounds can be narrowed, and not widened.
  @Test func boundsAreNarrowed() throws {
    #expect(try MLCProcess("convert", Self.model, "-o", out, "--input", "x={2,4,8},4").status == 0)
    let narrow = workspace.path("narrow.mlpackage")
    let run = try MLCProcess("convert", out, "-o", narrow, "--input", "x={4,8},4")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try MLCProcess("inspect", narrow).output.contains("4 or 8"))
    let wide = try MLCProcess("convert", out, "-o", workspace.path("wide.mlpackage"), "--input", "x=1..16,4")
    #expect(wide.status == 2 && wide.errors.contains("[input.shape]"), "\(wide.errors)")
  }

  @Test func settingsHaveThem() throws {
    let model = workspace.path("argmax.onnx")
    try FileManager.default.copyItem(atPath: Self.model, toPath: model)
    func settings(_ shape: String) throws -> MLCProcess {
      let text = "{\"inputs\": {\"x\": \(shape)}, \"targets\": [\"x86-64-v2\"]}"
      try text.write(toFile: workspace.path("mlc.json"), atomically: true, encoding: .utf8)
      return try MLCProcess("build", model)
    }
    for (shape, sizes) in [("[\"1..8\", 4]", "1 to 8"), ("[[2, 8], 4]", "2 or 8")] {
      let run = try settings(shape)
      #expect(run.status == 0, "\(run.errors)")
      #expect(try MLCProcess("inspect", workspace.path("argmax.mlmodelc")).output.contains(sizes))
    }
    let sum = workspace.path("sum.onnx")
    try FileManager.default.copyItem(atPath: MLCProcess.fixture("sum.onnx"), toPath: sum)
    let shared = #"{"inputs": {"a": ["2..8"], "b": ["2..8"]}, "targets": ["x86-64-v2"]}"#
    try shared.write(toFile: workspace.path("mlc.json"), atomically: true, encoding: .utf8)
    #expect(try MLCProcess("build", sum).status == 0)
    let text = try MLCProcess("inspect", workspace.path("sum.mlmodelc")).output
    #expect(text.contains("2 to 8") && !text.contains("_0"), "\(text)")
    for shape in ["[\"8..1\", 4]", "[[], 4]", "[[1, \"a\"], 4]"] {
      let run = try settings(shape)
      #expect(run.status == 3 && run.errors.contains("[settings.field]"), "\(shape): \(run.errors)")
    }
  }
}
