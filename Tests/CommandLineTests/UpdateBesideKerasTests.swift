import Foundation
import MLCCore
import MLCFormatCoreML
import MLCGraph
import MLCHDF5
import MLCImportKeras
import MLCTensorIO
import TestSupport
import Testing

/// `mlc update --respect-trainable` beside Keras, on the models of `Tests/Corpora/keras/training.zip`, which
/// `make_training.py` made: each as one of the two kinds of files.
@Suite struct UpdateBesideKerasTests {
  private struct Record: Decodable {
    /// Of each step, of four examples.
    let loss: [Double]
    /// The weights that do not learn.
    let fixed: Set<String>
    let options: [String]
  }

  private static func archive() throws -> ZipReader {
    let path = MLCProcess.root.appending(path: "Tests/Corpora/keras/training.zip").path()
    return try ZipReader(try MappedFile(path: path).storage, format: "keras")
  }

  /// `k2/norms` and so on.
  private static let names: [String] = {
    do {
      return try archive().entries().map { $0.name }.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
    } catch { preconditionFailure("\(error)") }
  }()

  private func weights(_ function: Function) -> [String: Tensor] {
    var weights: [String: Tensor] = [:]
    for operation in function.body.operations {
      if let constant = operation.op as? Const { weights[function[operation.outputs[0]].name] = constant.val }
    }
    return weights
  }

  /// Losses are near step by step; so are the weights after them, those that do not learn the same bits, and each of
  /// the others changed.
  @Test(arguments: names) func trainsAsKerasDoes(_ name: String) throws {
    let work = try Workspace()
    try Self.archive().unpack(to: work.url) { $0.hasPrefix("\(name).") }
    let base = work.path(name)
    let record = try JSONDecoder().decode(Record.self, from: try Data(contentsOf: URL(filePath: "\(base).json")))
    let place = try #require(Self.names.firstIndex(of: name))
    let model = "\(base).\(place.isMultiple(of: 2) ? "h5" : "keras")"
    let after = work.path("after.mlpackage")
    let arguments = [
      "update", model, "--respect-trainable", "--data", "\(base).npz", "-o", after, "--epochs", "1", "--batch-size",
      "4", "--no-shuffle", "--json",
    ]
    let run = try MLCProcess(arguments: arguments + record.options)
    try #require(run.status == 0, "\(run.errors)")
    let losses = try #require((try run.json()["steps"] as? [String: [Double]])?["loss"])
    let areNear =
      losses.count == record.loss.count
      && zip(losses, record.loss).allSatisfy { abs($0 - $1) <= 1e-4 * abs($1) }
    #expect(areNear, "\(losses) beside \(record.loss)")
    let helper = HDF5Helper(executable: MLCProcess.executable.path())
    let old = weights(try KerasImporter.read(model, helper: helper).main)
    let new = weights(try CoreMLPackage.read(after).main)
    for (weight, theirs) in try NPZ.read("\(base).after.npz").map({ ($0.name, $0.tensor) }) {
      let (first, last) = (try #require(old[weight], "\(weight)"), try #require(new[weight], "\(weight)"))
      if record.fixed.contains(weight) {
        let isStatistic = weight.contains(".moving_") && !record.options.isEmpty
        #expect(isStatistic || last == first, "\(weight) changed")
      } else {
        #expect(last != first, "\(weight) did not change")
      }
      let isNear = zip(last.doubles, theirs.doubles).allSatisfy { abs($0 - $1) <= 1e-4 * max(1, abs($1)) }
      #expect(isNear && last.count == theirs.count, "\(weight)")
    }
  }
}
