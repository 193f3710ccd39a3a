import Foundation
import Testing

/// `mlc update` of one network in each format that models come in, by each loss and optimizer, beside what NumPy
/// computes in double precision; `make_training_sources.py` wrote them.
@Suite struct UpdateSourcesTests {
  private struct Expected: Decodable {
    let data: String
    let options: [String]
    /// Of each step, of four examples.
    let loss: [Double]
  }

  private static func fixture(_ name: String) -> String { MLCProcess.fixture("training/sources/\(name)") }

  @Test(arguments: ["onnx", "h5", "mlmodel", "mlpackage"]) func lossesAreNumPys(_ format: String) throws {
    let work = try Workspace()
    let file = URL(filePath: Self.fixture("losses.json"))
    let all = try JSONDecoder().decode([Expected].self, from: try Data(contentsOf: file))
    #expect(all.count == 9)
    for expected in all {
      let arguments = [
        "update", Self.fixture("network.\(format)"), "--data", Self.fixture(expected.data), "-o",
        work.path("out.mlpackage"), "--epochs", "1", "--batch-size", "4", "--no-shuffle", "--json",
      ]
      let run = try MLCProcess(arguments: arguments + expected.options)
      try #require(run.status == 0, "\(expected.options): \(run.errors)")
      let losses = try #require((try run.json()["steps"] as? [String: [Double]])?["loss"])
      let isNear =
        losses.count == expected.loss.count
        && zip(losses, expected.loss).allSatisfy { abs($0 - $1) <= 1e-5 * abs($1) }
      #expect(isNear, "\(expected.options): \(losses) beside \(expected.loss)")
    }
  }
}
