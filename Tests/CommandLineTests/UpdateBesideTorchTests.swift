import Foundation
import Testing

/// `mlc update` beside what PyTorch answered on small networks, which `Tests/Benchmarks/training.py --keep` wrote.
@Suite struct UpdateBesideTorchTests {
  private struct Kept: Decodable {
    let options: [String]
    /// Of each step.
    let loss: [Double]
    /// Of predictions of the trained network for the first batch.
    let after: Double
  }

  private func losses(_ model: String, _ name: String, _ result: String, _ options: [String]) throws -> [Double] {
    let data = MLCProcess.fixture("training/\(name).npz")
    let arguments = ["update", model, "--data", data, "-o", result, "--loss", "cross-entropy", "--epochs", "1"]
    let run = try MLCProcess(arguments: arguments + ["--no-shuffle", "--json"] + options)
    try #require(run.status == 0, "\(run.errors)")
    let steps = try #require(try run.json()["steps"] as? [String: [Double]])
    let losses = try #require(steps["loss"])
    #expect(steps["ms"]?.count == losses.count && steps["cpu_ms"]?.count == losses.count)
    return losses
  }

  private func areNear(_ ours: [Double], _ theirs: [Double]) -> Bool {
    ours.count == theirs.count && zip(ours, theirs).allSatisfy { abs($0 - $1) <= 1e-4 * abs($1) }
  }

  /// Losses are near step by step, the same bits with any number of threads, and what the written model predicts is
  /// near, too.
  @Test(arguments: ["cnn", "encoder", "lstm", "mlp", "mobilenet_v2_last"])
  func losses(of name: String) throws {
    let work = try Workspace()
    let (model, tuned) = (MLCProcess.fixture("training/\(name).onnx"), work.path("tuned.mlpackage"))
    let file = URL(filePath: MLCProcess.fixture("training/\(name).json"))
    let kept = try JSONDecoder().decode(Kept.self, from: try Data(contentsOf: file))
    let ours = try losses(model, name, tuned, kept.options + ["--threads", "1"])
    #expect(areNear(ours, kept.loss), "\(ours) beside \(kept.loss)")
    #expect(try losses(model, name, work.path("two.mlpackage"), kept.options + ["--threads", "2"]) == ours)
    let after = try losses(tuned, name, work.path("again.mlpackage"), []).first
    #expect(areNear([after ?? .nan], [kept.after]), "\(after ?? .nan) beside \(kept.after)")
  }
}
