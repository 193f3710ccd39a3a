import Foundation
import TestSupport
import Testing

/// Packages that carry their program, and the cache of what becomes of them on a machine.
@Suite struct PortableTests {
  private let workspace: Workspace
  private let package: String
  private let cache: [String: String]

  init() throws {
    workspace = try Workspace()
    package = workspace.url.appending(path: "sum.mlmodelc").path()
    cache = ["MLC_CACHE": workspace.url.appending(path: "cache").path(), "MLC": MLCProcess.executable.path()]
    let made = try MLCProcess(
      "compile",
      MLCProcess.fixture("classifier.onnx"),
      "--portable",
      "--target",
      "x86-64-v2",
      "-o",
      package
    )
    try #require(made.status == 0, "\(made.errors)")
  }

  @Test func isASourceModelToo() throws {
    let again = workspace.url.appending(path: "again.mlmodelc").path()
    let direct = workspace.url.appending(path: "direct.mlmodelc").path()
    #expect(try MLCProcess("compile", package, "--target", "x86-64-v2", "-o", again).status == 0)
    let fixture = MLCProcess.fixture("classifier.onnx")
    #expect(try MLCProcess("compile", fixture, "--target", "x86-64-v2", "-o", direct).status == 0)
    // The same program gives the same bytes.
    let manifests = try [again, direct].map { try Data(contentsOf: URL(filePath: "\($0)/manifest.json")) }
    #expect(manifests[0] == manifests[1])
    #expect(try MLCProcess("verify", package, again).status == 0)
    let refused = try MLCProcess("compile", again, "-o", direct)
    #expect(refused.status == 2 && refused.errors.contains("[format.compiled]"))
  }

  /// What a package was made without is left out of what is compiled from it, unless one asks for it.
  @Test func keepsWinogradOut() throws {
    func manifest(_ arguments: String...) throws -> String {
      let out = workspace.url.appending(path: "\(arguments.hashValue).mlmodelc").path()
      #expect(try MLCProcess(arguments: ["compile"] + arguments + ["--portable", "-o", out]).status == 0)
      return try String(contentsOf: URL(filePath: "\(out)/manifest.json"), encoding: .utf8)
    }
    let small = workspace.url.appending(path: "small.mlmodelc").path()
    let fixture = MLCProcess.fixture("classifier.onnx")
    #expect(try MLCProcess("compile", fixture, "--no-winograd", "--portable", "-o", small).status == 0)
    let field = "\"winograd\": false"
    #expect(try manifest(small).contains(field))
    #expect(try !manifest(small, "--winograd").contains(field))
    #expect(try !manifest(package).contains(field))
  }

  /// A package that learns is a source of one that does not: what it has learnt is constant there.
  @Test(arguments: [
    ("updatable.zip", "classes_sgd"), ("updatable.zip", "pipeline_picture"),
    ("neighbors.zip", "texts_uniform_linear_25"), ("neighbors.zip", "pipeline_classifier_scaler"),
  ]) func learningIsLeftOut(archive: String, name: String) throws {
    let model = try ModelArchive(archive)
    defer { withExtendedLifetime(model) {} }
    let portable = workspace.path("learns.mlmodelc")
    #expect(try MLCProcess("compile", model.model(name).path(), "--portable", "-o", portable).status == 0)
    func report(_ options: String...) throws -> [String: Any] {
      let out = workspace.path("out.mlmodelc")
      #expect(try MLCProcess(arguments: ["compile", portable, "-o", out] + options).status == 0)
      let verified = try MLCProcess("verify", portable, out)
      #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
      return try MLCProcess("inspect", out, "--json").json()
    }
    let (learns, constant) = (try report(), try report("--no-updatable"))
    #expect(learns["learning"] != nil && constant["learning"] == nil)
    let files = try #require(workspace.tree("out.mlmodelc")).keys
    #expect(!files.contains { $0.contains("learning") || $0.contains("parameters") }, "\(files)")
    let inputs = try [learns, constant].map { report in
      try #require(report["inputs"] as? [[String: Any]]).map { $0["name"] as? String }
    }
    #expect(inputs[0] == inputs[1])
    // Sizes of samples are none that a caller decides.
    #expect((learns["sizes"] as? [Any])?.isEmpty == true)
    #expect(try MLCProcess("bench", portable, "--iterations", "1", environment: cache).status == 0)
  }

  /// What learns computes what its source does, where that is constant.
  @Test func learningIsVerified() throws {
    let archive = try ModelArchive("updatable.zip")
    defer { withExtendedLifetime(archive) {} }
    let model = archive.model("pipeline_numbers")
    let out = workspace.path("learns.mlmodelc")
    #expect(try MLCProcess("compile", model.path(), "-o", out).status == 0)
    let verified = try MLCProcess("verify", model.path(), out)
    #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
  }

  /// A setting's range and its choices are spelled as errors spell them.
  @Test func settingsAreListed() throws {
    let archives = [
      ("updatable.zip", "classes_sgd", "0…1"), ("neighbors.zip", "texts_uniform_kd_tree_0", "1, 4, 5, 7"),
    ]
    for (archive, name, allowed) in archives {
      let model = try ModelArchive(archive)
      defer { withExtendedLifetime(model) {} }
      let out = workspace.path("\(name).mlmodelc")
      #expect(try MLCProcess("compile", model.model(name).path(), "-o", out).status == 0)
      let text = try MLCProcess("inspect", out).output
      #expect(text.contains("it learns") && text.contains(allowed), "\(text)")
    }
  }

  /// Equal models in two folders give equal packages, and no path of the machine is in them.
  @Test func packagesDoNotSayWhereTheirSourceWas() throws {
    var made: [[String: Data]] = []
    for folder in ["one", "another/folder"] {
      let url = workspace.url.appending(path: folder)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      let model = url.appending(path: "model.onnx").path()
      try FileManager.default.copyItem(atPath: MLCProcess.fixture("classifier.onnx"), toPath: model)
      let (code, package) = (url.appending(path: "m.mlmodelc").path(), url.appending(path: "m.mlpackage").path())
      #expect(try MLCProcess("compile", model, "--portable", "--target", "x86-64-v2", "-o", code).status == 0)
      #expect(try MLCProcess("convert", model, "-o", package).status == 0)
      made.append(try #require(workspace.tree("\(folder)/m.mlmodelc")))
      made.append(try #require(workspace.tree("\(folder)/m.mlpackage")))
    }
    #expect(made[0] == made[2] && made[1] == made[3])
    for bytes in made.flatMap({ $0.values }) {
      #expect(bytes.firstRange(of: Data(workspace.url.path().utf8)) == nil)
      #expect(bytes.firstRange(of: Data("model.onnx".utf8)) == nil)
    }
  }

  @Test func isPreparedOnceAndListed() throws {
    #expect(try MLCProcess("cache", "list", environment: cache).output.contains("empty"))
    let host = try #require(try MLCProcess("devices", "--json").json()["host"] as? String)
    let expected = host == "x86-64-v2" ? ["as compiled", "as compiled"] : ["prepare and cache", "cached"]
    for word in expected {
      let report = try MLCProcess("bench", package, "--iterations", "1", "--json", environment: cache).json()
      #expect(report["preparation"] as? String == word)
      #expect(report["target"] as? String == host)
    }
    let entries = try #require(
      try MLCProcess("cache", "list", "--json", environment: cache).json()["packages"] as? [[String: Any]]
    )
    guard host != "x86-64-v2" else { return }
    #expect(entries.count == 1 && entries[0]["target"] as? String == host && entries[0]["problem"] is NSNull)
    #expect(try MLCProcess("cache", "clear", "--json", environment: cache).json()["removed"] as? Int == 1)
    #expect(try MLCProcess("cache", "list", environment: cache).output.contains("empty"))
  }

  @Test func runsTheBaselineWithoutACompilerAndSaysWhy() throws {
    let environment = cache.merging(["MLC_CC": "/nowhere/cc"]) { $1 }
    let run = try MLCProcess("bench", package, "--iterations", "1", environment: environment)
    let isBaseline = run.output.contains("baseline: x86-64-v2") && run.output.contains("[runtime.specialise]")
    #expect(run.status == 0 && (isBaseline || run.output.contains("as compiled")))
    let report = try MLCProcess("bench", package, "--iterations", "1", "--json", environment: environment).json()
    #expect(report["target"] as? String == "x86-64-v2")
  }

  @Test func refusesDamagedPrograms() throws {
    let program = "\(package)/program.txt"
    var text = try Data(contentsOf: URL(filePath: program))
    text[text.count / 2] ^= 1
    try text.write(to: URL(filePath: program))
    let run = try MLCProcess("compile", package, "-o", workspace.url.appending(path: "out.mlmodelc").path())
    #expect(run.status == 3 && run.errors.contains("[package.digest]"))
  }
}
