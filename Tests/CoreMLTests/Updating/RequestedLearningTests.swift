import CoreML
import Foundation
import MLCCore
import MLCTensorIO
import Synchronization
import TestSupport
import Testing

/// Models that do not say how they learn, compiled with what `mlc compile` was told of it, learn in an application as
/// NumPy says (`Tests/CommandLineTests/make_training_sources.py`).
@Suite struct RequestedLearningTests {
  private struct Expected: Decodable {
    let data: String
    let options: [String]
    /// Of each step, of four examples.
    let loss: [Double]
  }

  private static let fixtures = Sources.root.appending(path: "Tests/CommandLineTests/Fixtures/training/sources")

  private static func expected() throws -> [Expected] {
    let all = try JSONDecoder().decode(
      [Expected].self,
      from: Data(contentsOf: fixtures.appending(path: "losses.json"))
    )
    #expect(all.count == 9)
    return all
  }

  /// Networks with an open batch learn by examples of one row or of four, those with a fixed batch of four.
  @Test(arguments: ["onnx", "h5", "mlmodel", "mlpackage"]) func lossesAreNumPys(_ format: String) async throws {
    let isOpen = ["onnx", "h5"].contains(format)
    for (place, expected) in try Self.expected().enumerated() where format == "onnx" || place % 4 == format.count % 4 {
      let work = try Workspace()
      let rows = isOpen && place.isMultiple(of: 2) ? 1 : 4
      let compiled = try Self.compile("network.\(format)", expected.options + Self.order(4 / rows), in: work)
      let data = try Examples(expected.data, rows: rows)
      let (losses, context) = try await Self.losses(compiled, data.batch)
      #expect(losses.isNear(expected.loss, 1e-5), "\(expected.options): \(losses) beside \(expected.loss)")
      let written = work.url.appending(path: "written.mlmodelc")
      try context.model.write(to: written)
      let loaded = try MLModel(contentsOf: written)
      let example = data.batch.features(at: 0)
      #expect(try Self.scores(loaded, example) == Self.scores(context.model, example))
      #expect(try Self.scores(loaded, example) != Self.scores(try MLModel(contentsOf: compiled), example))
    }
  }

  /// The command's training of whole batches has a limit of gradients, and that of an application's examples.
  @Test(arguments: [
    ["--loss", "cross-entropy", "--learning-rate", "0.5", "--clip-norm", "0.2"],
    ["--loss", "mse", "--optimizer", "adam", "--learning-rate", "0.02", "--clip-norm", "0.1", "--weight-decay", "0.1"],
    ["--loss", "mse", "--learning-rate", "0.1", "--weight-decay", "0.3", "--momentum", "0.5"],
  ]) func stepsAreThoseOfTheCommand(_ options: [String]) async throws {
    let work = try Workspace()
    let data = "\(options[1]).npz"
    let compiled = try Self.compile("network.onnx", options + Self.order(4), in: work)
    let (losses, _) = try await Self.losses(compiled, try Examples(data, rows: 1).batch)
    let run = try Self.mlc(
      [
        "update", Self.fixtures.appending(path: "network.onnx").path(), "-o",
        work.url.appending(path: "out.mlpackage").path(), "--json",
      ]
        + ["--data", Self.fixtures.appending(path: data).path()] + options + Self.order(4)
    )
    let json = try #require(try JSONSerialization.jsonObject(with: Data(run.utf8)) as? [String: Any])
    let expected = try #require((json["steps"] as? [String: [Double]])?["loss"])
    #expect(losses.isNear(expected, 1e-5), "\(losses) beside \(expected)")
  }

  /// A classifier's targets are the labels of its classes, where each has one.
  @Test func labelsAreTargets() async throws {
    let expected = try #require(try Self.expected().first { $0.options.prefix(2) == ["--loss", "cross-entropy"] })
    let work = try Workspace()
    let names = ["ape", "bee", "cat"]
    try names.joined(separator: "\n").write(
      toFile: work.url.appending(path: "labels.txt").path(),
      atomically: true,
      encoding: .utf8
    )
    _ = try Self.mlc([
      "convert", Self.fixtures.appending(path: "network.onnx").path(), "-o",
      work.url.appending(path: "classifier.mlpackage").path(),
      "--input", "x=1,5", "--classes", work.url.appending(path: "labels.txt").path(),
    ])
    let compiled = try Self.compile(
      work.url.appending(path: "classifier.mlpackage").path(),
      expected.options + Self.order(4),
      in: work
    )
    let examples = try Examples(expected.data, rows: 1) { MLFeatureValue(string: names[$0.integers[0]]) }
    let model = try MLModel(contentsOf: compiled)
    #expect(model.modelDescription.trainingInputDescriptionsByName["target"]?.type == .string)
    let (losses, _) = try await Self.losses(compiled, examples.batch)
    #expect(losses.isNear(expected.loss, 1e-5), "\(losses) beside \(expected.loss)")
    let other = try Examples(expected.data, rows: 1) { _ in MLFeatureValue(string: "dog") }
    let task = try await Self.losses(compiled, other.batch)
    #expect(task.losses.isEmpty && task.context.task.error != nil)
  }

  /// Probabilities of classes that are 0 and 1 are what numbers of classes are.
  @Test func softTargets() async throws {
    let expected = try #require(try Self.expected().first { $0.options.prefix(2) == ["--loss", "cross-entropy"] })
    let work = try Workspace()
    let compiled = try Self.compile(
      "network.onnx",
      expected.options + Self.order(4) + ["--soft-targets", "--target-name", "wanted"],
      in: work
    )
    let examples = try Examples(expected.data, rows: 1, target: "wanted") { number in
      var shares: [Float] = [0, 0, 0]
      shares[number.integers[0]] = 1
      return MLFeatureValue(shapedArray: MLShapedArray<Float>(scalars: shares, shape: [1, 3]))
    }
    let (losses, _) = try await Self.losses(compiled, examples.batch)
    #expect(losses.isNear(expected.loss, 1e-5), "\(losses) beside \(expected.loss)")
  }

  /// What a pattern does not name stays as it is, and no parameter.
  @Test func patternsName() async throws {
    let work = try Workspace()
    let options = ["--loss", "mse", "--trainable", "scores*", "--learning-rate", "0.1"]
    let compiled = try Self.compile("network.onnx", options + Self.order(4), in: work)
    let before = try MLModel(contentsOf: compiled)
    let (_, context) = try await Self.losses(compiled, try Examples("mse.npz", rows: 1).batch)
    for (name, learns) in ["scores_kernel": true, "scores_bias": true, "hidden_kernel": false, "hidden_bias": false] {
      let key = MLParameterKey.weights.scoped(to: name)
      let (old, new) = (try? before.parameterValue(for: key), try? context.model.parameterValue(for: key))
      guard learns else {
        #expect(old == nil && new == nil)
        continue
      }
      let (first, second) = (try #require(old as? MLMultiArray), try #require(new as? MLMultiArray))
      #expect(MLShapedArray<Float>(first).scalars != MLShapedArray<Float>(second).scalars)
    }
  }

  // MARK: Parts

  private static func order(_ batch: Int) -> [String] {
    ["--epochs", "1", "--batch-size", "\(batch)", "--no-shuffle"]
  }

  /// What an update's steps lost, and its end.
  private static func losses(_ compiled: URL, _ batch: any MLBatchProvider) async throws -> (
    losses: [Double], context: MLUpdateContext
  ) {
    let losses = Mutex<[Double]>([])
    let context = try await updated(compiled, batch, events: [.miniBatchEnd]) { context in
      losses.withLock { $0.append(context.metrics[.lossValue] as? Double ?? .nan) }
    }
    return (losses.withLock { $0 }, context)
  }

  private static func scores(_ model: MLModel, _ example: any MLFeatureProvider) throws -> [Float] {
    let input = try MLDictionaryFeatureProvider(dictionary: ["x": try #require(example.featureValue(for: "x"))])
    let output = try model.prediction(from: input)
    let name = try #require(output.featureNames.first)
    return MLShapedArray<Float>(try #require(output.featureValue(for: name)?.multiArrayValue)).scalars
  }

  /// A fixture or a path, compiled with `options`.
  private static func compile(_ model: String, _ options: [String], in work: Workspace) throws -> URL {
    let compiled = work.url.appending(path: "compiled.mlmodelc")
    let path = model.hasPrefix("/") ? model : fixtures.appending(path: model).path()
    _ = try mlc(["compile", path, "-o", compiled.path()] + options)
    return compiled
  }

  private static func mlc(_ arguments: [String]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: Sources.command)
    (process.arguments, process.standardOutput) = (arguments, output)
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return String(decoding: text, as: UTF8.self)
  }
}

/// Examples of an archive with a first axis of examples.
private struct Examples {
  let batch: MLArrayBatchProvider

  /// So many rows an example; `value` makes features of the targets' rows.
  init(
    _ archive: String,
    rows: Int,
    target: String = "target",
    _ value: ((Tensor) throws -> MLFeatureValue)? = nil
  ) throws {
    let file = Sources.root.appending(path: "Tests/CommandLineTests/Fixtures/training/sources/\(archive)")
    let tensors = try NPZ.read(file.path())
    func tensor(_ name: String) throws -> Tensor { try #require(tensors.first { $0.name == name }?.tensor) }
    let (inputs, targets) = (try tensor("x"), try tensor("target"))
    batch = MLArrayBatchProvider(
      array: try stride(from: 0, to: inputs.shape[0], by: rows).map { first in
        let wanted = targets.rows(first, rows)
        return try MLDictionaryFeatureProvider(dictionary: [
          "x": MLFeatureValue(shapedArray: inputs.rows(first, rows).array),
          target: try value?(wanted) ?? wanted.feature,
        ])
      }
    )
  }
}

extension Tensor {
  fileprivate func rows(_ first: Int, _ count: Int) -> Tensor {
    let size = shape.dropFirst().reduce(1, *)
    return Tensor(dtype, [count] + shape.dropFirst(), Array(doubles[first * size..<(first + count) * size]))
  }

  fileprivate var array: MLShapedArray<Float> { MLShapedArray(scalars: doubles.map { Float($0) }, shape: shape) }

  fileprivate var feature: MLFeatureValue {
    guard dtype.isInteger else { return MLFeatureValue(shapedArray: array) }
    return MLFeatureValue(shapedArray: MLShapedArray<Int32>(scalars: integers.map { Int32($0) }, shape: shape))
  }
}

extension [Double] {
  fileprivate func isNear(_ other: [Double], _ tolerance: Double) -> Bool {
    count == other.count && zip(self, other).allSatisfy { abs($0 - $1) <= tolerance * abs($1) }
  }
}
