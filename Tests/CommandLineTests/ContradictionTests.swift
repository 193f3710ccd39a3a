import Foundation
import MLCCore
import MLCPackage
import TestSupport
import Testing

/// Packages whose files contradict one another under digests that all fit: each run of one ends in a diagnostic or in
/// the right answer, and never by a signal.
///
/// `MLC_CONTRADICTIONS` in the environment says how many are tried; `MLC_CONTRADICTIONS_SEED` where to begin.
@Suite struct ContradictionTests {
  /// A package as it was compiled, and what a prediction with it prints.
  private struct Original {
    let package: String, predict: [String], answer: String
  }

  private let work: Workspace
  private let originals: [Original]

  init() throws {
    let work = try Workspace()
    self.work = work
    let models = [
      ("classifier.onnx", ["--inputs", MLCProcess.fixture("classifier.npz")], ["--portable"]),
      ("argmax.onnx", ["--inputs", MLCProcess.fixture("classifier.npz")], []),
      ("classifier.onnx", ["--inputs", MLCProcess.fixture("classifier.npz")], ["--precision", "fp16"]),
    ]
    originals = try models.enumerated().map { index, model in
      let package = work.path("\(index).mlmodelc")
      let compile = ["compile", MLCProcess.fixture(model.0), "-o", package, "--target", "x86-64-v2"] + model.2
      let made = try MLCProcess(arguments: compile)
      try #require(made.status == 0, "\(made.errors)")
      let options = model.1 + ["--target", "x86-64-v2", "--json"]
      let run = try MLCProcess(arguments: ["predict", package] + options)
      try #require(run.status == 0, "\(run.errors)")
      return Original(package: package, predict: options, answer: run.output)
    }
  }

  @Test func endInADiagnosticOrTheRightAnswer() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["MLC_CONTRADICTIONS"].flatMap { Int($0) } ?? 40
    let first = environment["MLC_CONTRADICTIONS_SEED"].flatMap { Int($0) } ?? 0
    var refused = 0
    for seed in first..<first + count {
      var mutation = PackageMutation(seed: UInt64(seed))
      let original = originals[seed % originals.count]
      let copy = work.path("copy.mlmodelc")
      try? FileManager.default.removeItem(atPath: copy)
      try FileManager.default.copyItem(atPath: original.package, toPath: copy)
      let what = try mutation.apply(to: copy, others: originals.map { $0.package })
      try PackageSealing.reseal(copy)
      var commands = [["predict", copy] + original.predict, ["package", "verify", copy], ["inspect", copy]]
      // Takes a compiler.
      if what.contains("program") {
        commands.append(["compile", copy, "-o", work.path("out.mlmodelc"), "--target", "x86-64-v2"])
      }
      for command in commands {
        let run = try MLCProcess(arguments: command)
        let isAnswer = run.status == 0 && (command[0] != "predict" || run.output == original.answer)
        let isDiagnostic = [2, 3, 4, 5].contains(run.status) && run.errors.contains(#/\[[a-z-]+\.[a-z-]+\]/#)
        let place = "seed \(seed), \(what): \(command[0]) \(run.status) \(run.errors)"
        #expect(!run.crashed && (isAnswer || isDiagnostic), "\(place)")
        if isDiagnostic && command[0] == "predict" { refused += 1 }
      }
    }
    // Most of what is changed matters.
    #expect(refused > count / 2, "\(refused) of \(count)")
  }
}
