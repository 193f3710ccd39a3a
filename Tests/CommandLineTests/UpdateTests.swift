import Foundation
import Testing

/// `mlc update`: what it writes, and what it leaves when it is refused.
@Suite struct UpdateTests {
  private let classifier = MLCProcess.fixture("classifier.onnx")
  /// Five of three classes.
  private static let examples: String = {
    do { return try String(contentsOfFile: MLCProcess.fixture("examples.json"), encoding: .utf8) } catch {
      preconditionFailure("\(error)")
    }
  }()

  private func update(_ work: Workspace, _ data: String = examples, _ options: String...) throws -> MLCProcess {
    try data.write(toFile: work.path("d.json"), atomically: true, encoding: .utf8)
    let arguments = ["update", classifier, "--data", work.path("d.json"), "--loss", "cross-entropy", "--json"]
    return try MLCProcess(arguments: arguments + options)
  }

  private func losses(_ run: MLCProcess) throws -> [Double] {
    try #require(run.status == 0, "\(run.errors)")
    return try #require(try run.json()["epochs"] as? [[String: Any]]).compactMap { $0["loss"] as? Double }
  }

  /// The trained model is read back, compiles, and is what a further epoch begins with.
  @Test func trainedModelIsWritten() throws {
    let work = try Workspace()
    let (tuned, page) = (work.path("t.mlpackage"), work.path("r.html"))
    let first = try losses(
      try update(work, Self.examples, "-o", tuned, "--epochs", "6", "--no-shuffle", "--report", page)
    )
    #expect(first.count == 6 && first[5] < first[0])
    let whole = try losses(
      try update(work, Self.examples, "-o", work.path("w.mlpackage"), "--epochs", "7", "--no-shuffle")
    )
    #expect(Array(whole[..<6]) == first)
    let arguments = [
      "update", tuned, "--data", work.path("d.json"), "-o", work.path("u.mlmodelc"), "--loss", "cross-entropy",
      "--epochs", "1", "--no-shuffle", "--json",
    ]
    #expect(try losses(try MLCProcess(arguments: arguments)) == [whole[6]])
    #expect(try MLCProcess("verify", tuned).status == 0)
    #expect(try String(contentsOfFile: page, encoding: .utf8).contains("Loss by epoch"))
  }

  /// A command that goes on from a checkpoint writes the bytes of one that was not interrupted.
  @Test func goesOn() throws {
    let work = try Workspace()
    func weights(_ package: String) throws -> Data {
      try Data(contentsOf: work.url.appending(path: "\(package)/Data/com.apple.CoreML/weights/weight.bin"))
    }
    let kept = ["--checkpoint", work.path("kept"), "--optimizer", "adam"]
    for (package, epochs) in [("a", "2"), ("a", "4")] {
      let run = try update(
        work,
        Self.examples,
        "-o",
        work.path("\(package).mlpackage"),
        "--epochs",
        epochs,
        kept[0],
        kept[1],
        kept[2],
        kept[3]
      )
      #expect(run.status == 0 && run.errors.contains("goes on after epoch 2") == (epochs == "4"), "\(run.errors)")
      #expect(try run.json()["resumed_after"] as? Int == (epochs == "4" ? 2 : 0))
    }
    _ = try update(work, Self.examples, "-o", work.path("b.mlpackage"), "--epochs", "4", "--optimizer", "adam")
    #expect(try weights("a.mlpackage") == weights("b.mlpackage"))
    let run = try update(work, Self.examples, "-o", work.path("a.mlpackage"), "--seed", "9", kept[0], kept[1])
    #expect(run.status == 2 && run.errors.contains("[update.checkpoint]"))
  }

  /// Weights in float16 are trained in float32, which is said.
  @Test func halfWeightsAreExpanded() throws {
    let work = try Workspace()
    let half = work.path("h.mlpackage")
    try #require(try MLCProcess("convert", classifier, "-o", half, "--precision", "fp16").status == 0)
    try Self.examples.write(toFile: work.path("d.json"), atomically: true, encoding: .utf8)
    let run = try MLCProcess(
      "update",
      half,
      "--data",
      work.path("d.json"),
      "-o",
      work.path("t.mlpackage"),
      "--loss",
      "cross-entropy",
      "--epochs",
      "3",
      "--no-shuffle",
      "--json"
    )
    let found = try losses(run)
    #expect(found[2] < found[0] && run.errors.contains("are float32 now"))
    #expect(try !#require(run.json()["expanded"] as? [String]).isEmpty)
  }

  /// Killed at any moment, the command leaves the old model or the new one, and the same command ends with the bytes of
  /// one that was not killed.
  @Test func killsLeaveWholeModels() throws {
    let work = try Workspace()
    try Self.examples.write(toFile: work.path("d.json"), atomically: true, encoding: .utf8)
    func arguments(_ out: String, _ kept: String) -> [String] {
      [
        "update", classifier, "--data", work.path("d.json"), "-o", work.path(out), "--loss", "cross-entropy",
        "--optimizer", "adam", "--epochs", "3", "--checkpoint", work.path(kept),
      ]
    }
    let start = ContinuousClock.now
    try #require(try MLCProcess(arguments: arguments("new.mlpackage", "whole")).status == 0)
    let duration = UInt64((ContinuousClock.now - start) / .microseconds(1))
    let new = try #require(work.tree("new.mlpackage"))
    try #require(try MLCProcess("convert", classifier, "-o", work.path("out.mlpackage")).status == 0)
    let old = try #require(work.tree("out.mlpackage"))
    try FileManager.default.copyItem(atPath: work.path("out.mlpackage"), toPath: work.path("other.mlpackage"))
    let outs = [("out.mlpackage", "kept"), ("other.mlpackage", "kept-too")]
    for _ in 0..<25 {
      let processes = try outs.map { try StartedProcess(arguments($0, $1)) }
      for process in processes {
        usleep(UInt32(UInt64.random(in: 0...duration / 2)))
        process.send(SIGKILL)
      }
      for (process, (out, _)) in zip(processes, outs) {
        _ = process.end()
        let found = work.tree(out)?.filter { !$0.key.contains(".mlc-") }
        #expect(found == old || found == new, "the model is damaged")
      }
    }
    try #require(StartedProcess.wait { !StartedProcess.isRunning(work.url.lastPathComponent) })
    for (out, kept) in outs {
      let run = try MLCProcess(arguments: arguments(out, kept))
      #expect(run.status == 0 && work.tree(out) == new, "\(run.errors)")
    }
  }

  /// coremltools finds in the package the weights that training changed, as mlc does.
  @Test func coremltoolsReadsTheWeights() throws {
    let root = MLCProcess.root.path()
    let python = ProcessInfo.processInfo.environment["MLC_PYTHON"] ?? "\(root).venv/bin/python"
    let canRun = FileManager.default.isExecutableFile(atPath: python)
    try #require(canRun, "\(python) is absent: 'make corpora' makes it, or set MLC_PYTHON")
    let work = try Workspace()
    let (before, after) = (work.path("b.mlpackage"), work.path("a.mlpackage"))
    try #require(try MLCProcess("convert", classifier, "-o", before).status == 0)
    try #require(try losses(try update(work, Self.examples, "-o", after, "--trainable", "weight")).count == 10)
    let script = """
      import sys
      import coremltools as ct
      import coremltools.optimize.coreml as optimize
      models = [ct.models.MLModel(path, skip_model_load=True) for path in sys.argv[1:]]
      old, new = [optimize.get_weights_metadata(model, weight_threshold=0) for model in models]
      print(sorted(name for name in old if (old[name].val != new[name].val).any()), sorted(new))
      """
    let process = Process()
    process.executableURL = URL(filePath: python)
    process.arguments = ["-c", script, before, after]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(said.split(separator: "\n").last == "['weight'] ['bias', 'weight']", "\(said)")
  }

  /// A loss is named, by an option or by the file of a Keras model that was compiled; only such files say what learns.
  @Test func lossesAreNamed() throws {
    let work = try Workspace()
    try Self.examples.write(toFile: work.path("d.json"), atomically: true, encoding: .utf8)
    let rest = ["--data", work.path("d.json"), "-o", work.path("o.mlpackage")]
    for (id, status, model, options) in [
      ("update.loss", 2, classifier, []),
      ("update.respect-trainable", 2, classifier, ["--respect-trainable", "--loss", "mse"]),
      ("keras.not-compiled", 2, MLCProcess.fixture("dense.h5"), ["--respect-trainable", "--optimizer", "sgd"]),
      ("keras.not-compiled", 2, MLCProcess.fixture("dense.h5"), ["--respect-trainable", "--loss", "mse"]),
    ] as [(String, Int32, String, [String])] {
      let run = try MLCProcess(arguments: ["update", model] + rest + options)
      #expect(run.status == status && run.errors.contains("[\(id)]"), "\(id): \(run.errors)")
      #expect(work.contents == ["d.json"])
    }
  }

  @Test func refusalsWriteNothing() throws {
    let work = try Workspace()
    let out = work.path("o.mlpackage")
    let labels = Self.examples.replacingOccurrences(of: "2, 0]", with: "3, 0]")
    for (id, data, options) in [
      ("update.labels", labels, ["-o", out]), ("update.data-missing", #"{"x": [[1.0, 0.0, 0.0, 1.0]]}"#, ["-o", out]),
      ("update.output", Self.examples, ["-o", work.path("o.onnx")]),
      ("update.diverged", Self.examples, ["-o", out, "--learning-rate", "1e39"]),
      ("update.trainable", Self.examples, ["-o", out, "--trainable", "nobody"]),
    ] as [(String, String, [String])] {
      try data.write(toFile: work.path("d.json"), atomically: true, encoding: .utf8)
      let arguments = ["update", classifier, "--data", work.path("d.json"), "--loss", "cross-entropy"]
      let run = try MLCProcess(arguments: arguments + options)
      #expect(run.status != 0 && run.errors.contains("[\(id)]"), "\(id): \(run.errors)")
      #expect(work.contents == ["d.json"])
    }
  }
}
