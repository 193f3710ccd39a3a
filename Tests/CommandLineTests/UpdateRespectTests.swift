import Foundation
import Testing

/// `mlc update --respect-trainable` of a file that was compiled with descent, momentum 0.9, rate 0.1, and whose first
/// layer does not learn: options say otherwise than the file.
@Suite struct UpdateRespectTests {
  private struct Trained: Equatable {
    let weights: [String], losses: [Double]
  }

  private let model = MLCProcess.fixture("training/sources/network.h5")
  private let work: Workspace

  init() throws { work = try Workspace() }

  private func update(_ options: [String]) throws -> MLCProcess {
    let data = MLCProcess.fixture("training/sources/cross-entropy.npz")
    let arguments = ["update", model, "--data", data, "-o", work.path("out.mlpackage"), "--epochs", "2", "--json"]
    return try MLCProcess(arguments: arguments + options)
  }

  private func result(_ run: MLCProcess) throws -> Trained {
    let json = try run.json()
    let steps = try #require(json["steps"] as? [String: [Double]])
    return Trained(weights: try #require(json["weights"] as? [String]), losses: try #require(steps["loss"]))
  }

  /// What the file says is the same as these options, and each option wins over it.
  @Test func optionsWin() throws {
    let loss = ["--loss", "cross-entropy"]
    let respecting = ["--respect-trainable"] + loss
    let learning = ["--trainable", "scores*"]
    let all = ["--trainable", "*"]
    let momentum = ["--optimizer", "sgd", "--momentum", "0.9"]
    for (file, options) in [
      ([], learning + momentum + ["--learning-rate", "0.1"]),
      (["--learning-rate", "0.3"], learning + momentum + ["--learning-rate", "0.3"]),
      (["--momentum", "0.5"], learning + ["--momentum", "0.5", "--learning-rate", "0.1"]),
      (["--clip-norm", "0.1"], learning + momentum + ["--learning-rate", "0.1", "--clip-norm", "0.1"]),
      (["--optimizer", "adam"], learning + ["--optimizer", "adam"]),
      (all, all + momentum + ["--learning-rate", "0.1"]),
    ] as [([String], [String])] {
      let (ours, plain) = (try update(respecting + file), try update(loss + options))
      #expect(ours.status == 0 && plain.status == 0, "\(file): \(ours.errors)\(plain.errors)")
      #expect(try result(ours) == result(plain), "\(file)")
    }
  }

  /// The file's loss takes probabilities, which its output are none.
  @Test func probabilitiesComeOfASoftmax() throws {
    let run = try update(["--respect-trainable"])
    #expect(run.status == 4 && run.errors.contains("[update.scores]"), "\(run.errors)")
    #expect(work.contents.isEmpty)
  }
}
