import Foundation
import Testing

/// `mlc generate` and `mlc build`.
@Suite struct GenerateTests {
  private let classifier = MLCProcess.fixture("classifier.onnx")

  @Test func writesAClassForASourceModel() throws {
    let work = try Workspace()
    let run = try MLCProcess(
      "generate",
      classifier,
      "-o",
      work.url.path(),
      "--class-name",
      "Animals",
      "--access-level",
      "public"
    )
    #expect(run.status == 0, "\(run.errors)")
    let code = try String(contentsOfFile: work.path("Animals.swift"), encoding: .utf8)
    #expect(code.contains("public final class Animals: Sendable {"))
    #expect(code.contains("public func prediction(x: MLShapedArray<Float>) throws -> AnimalsOutput"))
    #expect(code.contains("/// `x`: Float array of shape [batch, 4]."))
    #expect(work.contents == ["Animals.swift"])
  }

  @Test func writesTheSameClassForThePackage() throws {
    let work = try Workspace()
    let package = work.path("classifier.mlmodelc")
    #expect(try MLCProcess("compile", classifier, "-o", package, "--target", "x86-64-v2").status == 0)
    #expect(try MLCProcess("generate", package, "-o", work.url.path(), "--class-name", "A").status == 0)
    #expect(try MLCProcess("generate", classifier, "-o", work.url.path(), "--class-name", "B").status == 0)
    let ofPackage = try String(contentsOfFile: work.path("A.swift"), encoding: .utf8)
    let ofModel = try String(contentsOfFile: work.path("B.swift"), encoding: .utf8)
      .replacing("classifier.onnx", with: "classifier.mlmodelc")
      .replacing(try Regex("\\bB(?=\\b|Input|Output)"), with: "A")
    #expect(ofPackage == ofModel)
  }

  @Test func refusesNamesAndLanguages() throws {
    let work = try Workspace()
    let name = try MLCProcess("generate", classifier, "-o", work.url.path(), "--class-name", "a-b")
    #expect(name.status == 2 && name.errors.contains("[generate.class-name]"))
    #expect(try MLCProcess("generate", classifier, "-o", work.url.path(), "--language", "Objective-C").status == 2)
    let folder = try MLCProcess("generate", classifier, "-o", work.path("nowhere"))
    #expect(folder.status == 5 && folder.errors.contains("[file.write]"))
  }

  // MARK: build

  private func build(_ work: Workspace, _ model: String = "classifier.onnx") throws -> MLCProcess {
    let paths = ["--package", work.path("out.mlmodelc"), "--code", work.path("out.swift"), "--bundle", "A_B.resources"]
    return try MLCProcess(arguments: ["build", work.path(model)] + paths + ["--json"])
  }

  @Test func buildsOnceAndAgainWhenSomethingChanged() throws {
    let work = try Workspace()
    let model = try work.copy("classifier.onnx")
    let first = try build(work)
    try #require(first.status == 0, "\(first.errors)")
    #expect(try first.json()["current"] as? Bool == false)
    let code = try String(contentsOfFile: work.path("out.swift"), encoding: .utf8)
    #expect(code.contains("\"A_B.resources/out.mlmodelc\"") && code.contains("final class classifier: Sendable"))
    func date() throws -> Date? {
      try FileManager.default.attributesOfItem(atPath: work.path("out.mlmodelc/manifest.json"))[.modificationDate]
        as? Date
    }
    let built = try date()
    #expect(try build(work).json()["current"] as? Bool == true)
    #expect(try date() == built)
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: model)
    #expect(try build(work).json()["current"] as? Bool == false)
    try Data(#"{"className": "Animals", "accessLevel": "package", "targets": ["x86-64-v2"]}"#.utf8)
      .write(to: work.url.appending(path: "mlc.json"))
    #expect(try build(work).json()["current"] as? Bool == false)
    #expect(try String(contentsOfFile: work.path("out.swift"), encoding: .utf8).contains("package final class Animals"))
    try FileManager.default.removeItem(atPath: work.path("out.swift"))
    #expect(try build(work).json()["current"] as? Bool == false)
  }

  @Test func settingsReachTheModel() throws {
    let work = try Workspace()
    _ = try work.copy("classifier.onnx")
    let settings = #"{"models": {"classifier.onnx": {"inputs": {"x": [2, 4]}, "targets": ["x86-64-v2", "x86-64-v3"]}}}"#
    try Data(settings.utf8).write(to: work.url.appending(path: "mlc.json"))
    #expect(try build(work).status == 0)
    let package = try MLCProcess("inspect", work.path("out.mlmodelc"), "--json").json()
    #expect((package["inputs"] as? [[String: Any]])?.first?["shape"] as? [Int] == [2, 4])
    #expect((package["targets"] as? [[String: Any]])?.count == 2)
  }

  /// The forms of weights in the program that the package carries, and the bytes of its weights.
  private func weights(_ work: Workspace) throws -> (program: String, bytes: Int) {
    let program = try MLCProcess("inspect", work.path("out.mlmodelc"), "--text").output
    let package = try MLCProcess("inspect", work.path("out.mlmodelc"), "--json").json()
    let target = try #require((package["targets"] as? [[String: Any]])?.first)
    return (program, try #require(target["weight_bytes"] as? Int))
  }

  @Test func compressionReachesTheWeights() throws {
    let work = try Workspace()
    _ = try work.copy("dense.h5")
    func weights(_ compression: String) throws -> (program: String, bytes: Int) {
      let settings = #"{"targets": ["x86-64-v2"], "portable": true\#(compression)}"#
      try Data(settings.utf8).write(to: work.url.appending(path: "mlc.json"))
      let run = try build(work, "dense.h5")
      try #require(run.status == 0, "\(run.errors)")
      // A change of the settings is noticed, and only that.
      #expect(try run.json()["current"] as? Bool == false)
      #expect(try build(work, "dense.h5").json()["current"] as? Bool == true)
      return try self.weights(work)
    }
    let plain = try weights("")
    #expect(!plain.program.contains("constexpr"))
    let palette = try weights(#", "compression": {"palettize": 4, "minElements": 0}"#)
    #expect(palette.program.contains("constexpr_lut_to_dense") && palette.bytes < plain.bytes)
    let own = #", "compression": {"palettize": 2}, "models": {"dense.h5": {"compression": "#
    let integers = try weights(own + #"{"quantize": "int8", "minElements": 0, "skip": ["weight_16"]}}}"#)
    #expect(integers.program.components(separatedBy: "= constexpr_blockwise_shift_scale").count == 3)
    let global = #""global_config": {"nbits": 2, "weight_threshold": 2}"#
    let config = try weights(#", "compression": {"config": {"config_type": "OpPalettizerConfig", \#(global)}}"#)
    #expect(config.program.components(separatedBy: ": uint2[").count == 4 && config.bytes < plain.bytes)
  }

  /// What compression costs, and that it did nothing, is said at the model.
  @Test func compressionWarns() throws {
    let work = try Workspace()
    let model = try work.copy("classifier.onnx")
    func warning(_ compression: String) throws -> String {
      try Data(#"{"compression": \#(compression)}"#.utf8).write(to: work.url.appending(path: "mlc.json"))
      let run = try build(work)
      #expect(run.status == 0)
      return run.errors
    }
    #expect(
      try warning(#"{"palettize": 1, "minElements": 0}"#)
        .contains("\(model):1: warning: 1 of 1 weight has an output channel with an error above 10 %")
    )
    #expect(
      try warning(#"{"palettize": 4}"#)
        .contains("\(model):1: warning: no weight is compressed; the first of 1 is 'weight', fewer than 2048 elements")
    )
  }

  /// As a compiler says it, so that editors find the file.
  @Test func problemsPointAtTheModel() throws {
    let work = try Workspace()
    let model = try work.copy("unsupported.onnx")
    let run = try build(work, "unsupported.onnx")
    #expect(run.status == 4 && run.errors.hasPrefix("\(model):1: error: "), "\(run.errors)")
    #expect(
      run.errors.split(separator: "\n").dropFirst().allSatisfy {
        $0.hasPrefix("\(model):1: note: ") || !$0.contains(" note: ")
      }
    )
    #expect(work.contents == ["unsupported.onnx"])
    let missing = try build(work, "missing.onnx")
    #expect(missing.status == 3 && missing.errors.hasPrefix(work.path("missing.onnx") + ":1: error: "))
  }

  @Test func wrongSettingsPointAtTheirFile() throws {
    let work = try Workspace()
    _ = try work.copy("classifier.onnx")
    let wrong = [
      (#"{"clasName": "A"}"#, "'clasName' is no setting; did you mean 'className'?", "settings.field"),
      (#"{"size": 4}"#, "'size' is no setting; there are accessLevel, arithmetic, ", "settings.field"),
      (#"{"accessLevel": "open"}"#, "'accessLevel' is 'open', not one of internal, package, public", "settings.field"),
      (#"{"targets": []}"#, "'targets' is no list", "settings.field"),
      (#"{"inputs": {"x": [1, -4]}}"#, "'inputs.x[1]' is neither a size nor the name of one", "settings.field"),
      (#"{"models": {"classifier.onnx": {"precision": 16}}}"#, "'models.classifier.onnx.precision'", "settings.field"),
      (#"{"models": {"clasifier.onnx": {}}}"#, "did you mean 'classifier.onnx'?", "settings.model"),
      (#"{"className": "a-b"}"#, "'a-b' is no name", "generate.class-name"),
      (#"{"compression": 4}"#, "'compression' is no object of options", "settings.field"),
      (#"{"compression": {}}"#, "nothing to do: give 'compression.palettize', ", "settings.field"),
      (#"{"compression": {"pallettize": 4}}"#, "is no option; did you mean 'palettize'?", "settings.field"),
      (#"{"compression": {"palettize": 5}}"#, "'compression.palettize' 5: there are palettes of", "settings.field"),
      (#"{"compression": {"palettize": [4]}}"#, "'compression.palettize' is neither", "settings.field"),
      (#"{"compression": {"prune": "half"}}"#, "'compression.prune' is no number", "settings.field"),
      (#"{"compression": {"prune": 2}}"#, "'compression.prune' 2.0: a share lies between 0 and 1", "settings.field"),
      (#"{"compression": {"fp16": 1}}"#, "'compression.fp16' is neither true nor false", "settings.field"),
      (
        #"{"compression": {"palettize": 4, "blockSize": 8}}"#,
        "'compression.blockSize' goes with 'compression.quantize'",
        "settings.field"
      ),
      (
        #"{"compression": {"quantize": "int8", "groupSize": 1.5}}"#, "'compression.groupSize' is no whole number",
        "settings.field"
      ),
      (
        #"{"models": {"classifier.onnx": {"compression": {"config": {}}}}}"#,
        "models.classifier.onnx.compression.config.config_type is missing", "compress.config"
      ),
      (
        #"{"compression": {"config": [], "fp16": true}}"#, "'compression.config' says what is done", "settings.field"
      ),
      (#"[]"#, "is no object", "settings.field"),
      (#"{"#, "at byte 1", "json.syntax"),
    ]
    for (text, message, id) in wrong {
      try Data(text.utf8).write(to: work.url.appending(path: "mlc.json"))
      let run = try build(work)
      #expect(run.status == 3 || run.status == 2, "\(text)")
      #expect(run.errors.contains("\(message)") && run.errors.contains("[\(id)]"), "\(text): \(run.errors)")
      #expect(run.errors.hasPrefix("\(work.path("mlc.json")):1:"), "\(text): \(run.errors)")
    }
  }

  /// Each mistake is told at its own line and column, those among them that only the model shows.
  @Test func wrongSettingsPointAtTheirPlace() throws {
    let work = try Workspace()
    _ = try work.copy("classifier.onnx")
    func settings(_ lines: String...) -> String { lines.joined(separator: "\n") }
    let wrong = [
      (settings("{", "  \"targets\": [\"host\",", "    \"x86-64-v9\"]", "}"), "3:5", "did you mean 'x86-64-v"),
      (settings("{", "  \"inputs\": {\"x\": [1, 4],", "             \"z\": [1]}", "}"), "3:14", "has no input 'z'"),
      (settings("{", "  \"inputs\": {", "    \"x\": [1, 2, 3]}}"), "3:5", "'inputs.x'"),
      (settings("{\"accessLevel\": \"public\",", " \"className\": \"a-b\"}"), "2:2", "'a-b' is no name"),
      (settings("{\"models\": {", "  \"classifier.onnx\": {", "\t\"precision\": 16}}}"), "3:2", "precision'"),
      (settings("{\"models\": {", " \"clasifier.onnx\": {}}}"), "2:2", "names 'clasifier.onnx'"),
      (settings("{\"ä\": 1,", "\"ö\": [\"ü\", é]}"), "2:12", "at byte"),
      (settings("{\"compression\":", " {\"palettize\": 4, \"blockSize\": 8}}"), "1:2", "goes with"),
    ]
    for (text, place, message) in wrong {
      try Data(text.utf8).write(to: work.url.appending(path: "mlc.json"))
      let run = try build(work)
      let head = "\(work.path("mlc.json")):\(place): error: "
      #expect(run.errors.hasPrefix(head) && run.errors.contains(message), "\(text): \(run.errors)")
      #expect(work.contents.sorted() == ["classifier.onnx", "mlc.json"])
    }
  }

  /// What editors of Windows write: UTF-8 with a mark is read, UTF-16 is named.
  @Test func settingsOfOtherEditors() throws {
    let work = try Workspace()
    let model = try work.copy("classifier.onnx")
    let (file, text) = (work.url.appending(path: "mlc.json"), "{\"className\": \"Animals\", \"portable\": 1}")
    let mark = Data([0xef, 0xbb, 0xbf])
    try (mark + Data(text.utf8)).write(to: file)
    #expect(try MLCProcess("build", model).errors.hasPrefix("\(file.path()):1:26: error: 'portable' is neither"))
    try (mark + Data(text.replacing(", \"portable\": 1", with: "").utf8)).write(to: file)
    let run = try build(work)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try String(contentsOfFile: work.path("out.swift"), encoding: .utf8).contains("class Animals"))
    try #require(text.data(using: .utf16)).write(to: file)
    let wide = try MLCProcess("build", model)
    #expect(wide.status == 3 && wide.errors.hasPrefix("\(file.path()):1:1: error: this is UTF-16"), "\(wide.errors)")
    #expect(wide.errors.contains("[json.syntax]") && wide.errors.contains("save it as UTF-8"), "\(wide.errors)")
  }

  @Test func aWrongPlaceIsInTheReportToo() throws {
    let work = try Workspace()
    try Data("{\n \"precision\": 16}".utf8).write(to: work.url.appending(path: "mlc.json"))
    let report = try MLCProcess("build", try work.copy("classifier.onnx"), "--json").json()
    #expect(report["line"] as? Int == 2 && report["column"] as? Int == 2)
  }
}
