import Foundation
import MLCCore
import MLCTensorIO
import TestSupport
import Testing

/// What `mlc compile` is told of how a model learns: what it writes and refuses. `CoreMLTests` has what is learnt.
@Suite struct RequestedLearningTests {
  private static let classifier = MLCProcess.fixture("classifier.onnx")
  private static let sources = "training/sources"

  private func compile(_ model: String, _ options: [String], in work: Workspace) throws -> MLCProcess {
    try MLCProcess(arguments: ["compile", model, "-o", work.path("c.mlmodelc")] + options)
  }

  @Test(arguments: [
    ("update.updatable", ["--no-updatable", "--loss", "mse"]),
    ("update.updatable", ["--precision", "fp16", "--loss", "mse"]),
    ("update.updatable", ["--precision", "fp16", "--updatable"]),
    ("update.loss", ["--updatable"]),
    ("update.loss", ["--trainable", "*"]),
    ("update.loss", ["--optimizer", "adam"]),
    ("update.trainable", ["--loss", "mse", "--trainable", "nobody*"]),
    ("update.respect-trainable", ["--loss", "mse", "--respect-trainable"]),
    ("update.setting", ["--loss", "mse", "--beta1", "0.5"]),
    ("update.setting", ["--loss", "mse", "--learning-rate=-1"]),
    ("update.setting", ["--loss", "mse", "--epochs", "0"]),
    ("update.setting", ["--loss", "mse", "--batch-size", "0"]),
    ("update.setting", ["--loss", "mse", "--soft-targets"]),
    ("update.setting", ["--loss", "mse", "--seed", "99999999999999"]),
    ("update.target-name", ["--loss", "mse", "--target-name", "x"]),
    ("gradient.output", ["--loss", "mse", "--output", "nobody"]),
  ]) func refused(id: String, options: [String]) throws {
    let work = try Workspace()
    let run = try compile(MLCProcess.fixture("\(Self.sources)/network.onnx"), options, in: work)
    #expect(run.status != 0 && run.errors.contains("[\(id)]") && run.output.isEmpty, "\(options): \(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: work.path("c.mlmodelc")))
  }

  /// A package says what it learns and how, also one that is compiled again.
  @Test func packagesSayHowTheyLearn() throws {
    let work = try Workspace()
    let model = MLCProcess.fixture("\(Self.sources)/network.onnx")
    let options = ["--loss", "binary-cross-entropy", "--optimizer", "adamw", "--eps", "0.5", "--trainable", "scores*"]
    let run = try compile(model, options + ["--portable"], in: work)
    try #require(run.status == 0, "\(run.errors)")
    try #require(try MLCProcess("compile", work.path("c.mlmodelc"), "-o", work.path("again.mlmodelc")).status == 0)
    for package in ["c.mlmodelc", "again.mlmodelc"] {
      let inspected = try MLCProcess("inspect", work.path(package), "--json").json()
      let learning = try #require(inspected["learning"] as? [String: Any])
      let names = try #require(learning["parameters"] as? [[String: String]]).map { $0["name"] }
      #expect(names == ["scores_kernel", "scores_bias"])
      let settings = try #require(learning["settings"] as? [[String: Any]])
      let eps = settings.first { $0["key"] as? String == "eps" }
      #expect(eps?["default"] as? Double == 0.5)
      let text = try MLCProcess("inspect", work.path(package)).output
      #expect(text.contains("learns by adamw, loss binaryCrossEntropy"))
      #expect(try MLCProcess("verify", model, work.path(package)).status == 0)
    }
    let data = MLCProcess.fixture("\(Self.sources)/binary-cross-entropy.npz")
    let rows = try NPZ.read(data).map { entry in
      let shape = [entry.tensor.shape[0], 1] + entry.tensor.shape.dropFirst()
      return (name: entry.name, tensor: entry.tensor.reshaped(shape))
    }
    try NPZ.write(rows, to: work.path("rows.npz"))
    for out in ["tuned.mlpackage", "tuned.mlmodelc"] {
      let arguments = [
        "update", work.path("c.mlmodelc"), "--data", work.path("rows.npz"), "-o", work.path(out), "--json",
      ]
      let tuned = try MLCProcess(arguments: arguments)
      try #require(tuned.status == 0, "\(tuned.errors)")
      #expect(try tuned.json()["weights"] as? [String] == ["scores_bias", "scores_kernel"])
    }
    let fixed = work.path("fixed.mlmodelc")
    let arguments = ["compile", work.path("c.mlmodelc"), "-o", fixed, "--no-updatable"]
    try #require(try MLCProcess(arguments: arguments).status == 0)
    #expect(try MLCProcess("inspect", fixed, "--json").json()["learning"] == nil)
  }

  /// Without being asked for, no function that updates call is in a package.
  @Test func othersDoNotGrow() throws {
    let work = try Workspace()
    try #require(try compile(Self.classifier, [], in: work).status == 0)
    let inspected = try MLCProcess("inspect", work.path("c.mlmodelc"), "--json").json()
    #expect(inspected["learning"] == nil && !"\(inspected)".contains("learning-"))
  }

  /// Weights in float16 learn in float32, which is said.
  @Test func halfWeightsAreExpanded() throws {
    let work = try Workspace()
    let half = work.path("h.mlpackage")
    try #require(try MLCProcess("convert", Self.classifier, "-o", half, "--precision", "fp16").status == 0)
    let run = try compile(half, ["--loss", "cross-entropy"], in: work)
    #expect(run.status == 0 && run.errors.contains("are float32 now"), "\(run.errors)")
    #expect(try MLCProcess("verify", half, work.path("c.mlmodelc")).status == 0)
  }

  /// The layers that learn are those of a file of Keras.
  @Test func filesSayWhatLearns() throws {
    let work = try Workspace()
    let model = MLCProcess.fixture("\(Self.sources)/network.h5")
    let refused = try compile(model, ["--respect-trainable"], in: work)
    #expect(refused.errors.contains("[update.scores]"))
    let run = try compile(model, ["--respect-trainable", "--loss", "mse"], in: work)
    try #require(run.status == 0, "\(run.errors)")
    let learning = try MLCProcess("inspect", work.path("c.mlmodelc"), "--json").json()["learning"] as? [String: Any]
    let parameters = try #require(learning?["parameters"] as? [[String: String]])
    #expect(parameters.count == 2 && parameters.allSatisfy { $0["name"]?.contains("scores") == true })
    let settings = try #require(learning?["settings"] as? [[String: Any]])
    #expect(settings.first { $0["key"] as? String == "momentum" }?["default"] as? Double == 0.9)
  }

  /// `learning` of `mlc.json` gives the class examples of training.
  @Test func settingsOfABuild() throws {
    let work = try Workspace()
    let model = work.url.appending(path: "network.onnx")
    try FileManager.default.copyItem(atPath: MLCProcess.fixture("\(Self.sources)/network.onnx"), toPath: model.path())
    func build(_ settings: String) throws -> MLCProcess {
      try Data(settings.utf8).write(to: work.url.appending(path: "mlc.json"))
      return try MLCProcess("build", model.path())
    }
    let run = try build(
      #"{"learning": {"loss": "mse", "optimizer": "adam", "learningRate": 0.5, "trainable": ["*bias"], "seed": 4}}"#
    )
    try #require(run.status == 0, "\(run.errors)")
    let code = try String(contentsOfFile: work.path("network.swift"), encoding: .utf8)
    #expect(code.contains("TrainingInput") && code.contains("target"))
    let learning = try MLCProcess("inspect", work.path("network.mlmodelc"), "--json").json()["learning"]
    let settings = try #require((learning as? [String: Any])?["settings"] as? [[String: Any]])
    #expect(settings.first { $0["key"] as? String == "learningRate" }?["default"] as? Double == 0.5)
    for (settings, problem) in [
      (#"{"learning": 4}"#, "'learning' is no object of options"),
      (#"{"learning": {"loss": "mean"}}"#, "'learning.loss' is 'mean', not one of"),
      (#"{"learning": {"los": "mse"}}"#, "did you mean 'loss'?"),
      (#"{"learning": {"loss": "mse", "seed": -1}}"#, "'learning.seed' is below 0"),
      (#"{"learning": {"loss": "mse"}, "precision": "fp16"}"#, "[update.updatable]"),
      (#"{"learning": {"loss": "mse"}, "compression": {"palettize": 4}}"#, "[update.updatable]"),
      (#"{"learning": {}}"#, "[update.loss]"),
    ] {
      let refused = try build(settings)
      #expect(refused.status != 0 && refused.errors.contains(problem), "\(settings): \(refused.errors)")
    }
  }
}
