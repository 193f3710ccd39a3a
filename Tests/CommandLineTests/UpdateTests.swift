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
    }
    _ = try update(work, Self.examples, "-o", work.path("b.mlpackage"), "--epochs", "4", "--optimizer", "adam")
    #expect(try weights("a.mlpackage") == weights("b.mlpackage"))
    let run = try update(work, Self.examples, "-o", work.path("a.mlpackage"), "--seed", "9", kept[0], kept[1])
    #expect(run.status == 2 && run.errors.contains("[update.checkpoint]"))
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
