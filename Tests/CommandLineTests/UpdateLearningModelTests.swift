import CoreMLProto
import Foundation
import MLCCore
import MLCFormatCoreML
import MLCGraph
import MLCTensorIO
import SwiftProtobuf
import TestSupport
import Testing

/// `mlc update` of Core ML models that say themselves how they learn, beside numpy and scikit-learn.
@Suite struct UpdateLearningModelTests {
  private static let networks = [
    "classes_sgd", "exact", "large", "last_layer", "numbers_adam", "picture_labels", "picture_numbers",
    "pipeline_labels", "pipeline_numbers", "pipeline_picture", "scaled",
  ]

  private func update(_ model: String, _ data: String, _ out: String, _ options: [String] = []) throws -> MLCProcess {
    try MLCProcess(arguments: ["update", model, "--data", data, "-o", out, "--json"] + options)
  }

  private func losses(_ run: MLCProcess) throws -> [Double] {
    try #require(run.status == 0, "\(run.errors)")
    return try #require(try run.json()["epochs"] as? [[String: Any]]).compactMap { $0["loss"] as? Double }
  }

  /// Losses of the epochs that the model says, and the weights in the package, which stays one that can be updated.
  @Test(arguments: networks) func lossesAndWeights(name: String) throws {
    let archive = try ModelArchive("updatable.zip")
    let record: UpdateRecord = try archive.record(name)
    let work = try Workspace()
    try NPZ.write(record.tensors, to: work.path("data.npz"))
    let (model, out) = (archive.model(name).path(), work.path("out.mlpackage"))
    let losses = try losses(try update(model, work.path("data.npz"), out))
    #expect(losses.count == record.losses.count)
    for (loss, expected) in zip(losses, record.losses) {
      #expect(abs(loss - expected) <= 1e-4 * max(1, expected), "\(loss), not \(expected)")
    }
    let program = try CoreMLPackage.read(out, updatable: true)
    guard case .network(let network)? = program.learning?.learning.method else {
      Issue.record("the package does not learn")
      return
    }
    let contents = Dictionary(program.main.parameters.map { ($0.name, $0.contents) }) { first, _ in first }
    for weight in network.weights {
      let expected = try #require(record.weights[weight.layer])[weight.role == .weights ? 0 : 1]
      let found = try #require(contents[weight.parameter]).doubles
      let distance = zip(found, expected).map { abs($0 - $1) }.max() ?? .infinity
      #expect(distance < 2e-4 && found.count == expected.count, "\(weight.parameter) is \(distance) off")
    }
    #expect(try Self.spec(out).withoutWeights == Self.spec(model).withoutWeights)
  }

  /// A compiled package goes on learning; options go before what the model says, within what it allows.
  @Test func optionsGoBefore() throws {
    let archive = try ModelArchive("updatable.zip")
    let record: UpdateRecord = try archive.record("classes_sgd")
    let work = try Workspace()
    try NPZ.write(record.tensors, to: work.path("data.npz"))
    var spec = try Self.spec(archive.model("classes_sgd").path())
    spec.neuralNetwork.updateParams.epochs.range.minValue = 1
    spec.neuralNetwork.updateParams.epochs.range.maxValue = 20
    let model = work.path("model.mlmodel")
    try spec.serializedData().write(to: URL(filePath: model))
    let out = work.path("out.mlmodelc")
    let whole = try losses(try update(model, work.path("data.npz"), work.path("whole.mlpackage")))
    let kept = ["--checkpoint", work.path("kept")]
    let two = try losses(try update(model, work.path("data.npz"), out, ["--epochs", "2"] + kept))
    #expect(two == Array(whole.prefix(2)))
    #expect(try losses(try update(model, work.path("data.npz"), out, kept)) == whole)
    #expect(try MLCProcess("inspect", out, "--json").json()["learning"] != nil)
    let slow = try losses(try update(model, work.path("data.npz"), out, ["--learning-rate", "0"]))
    #expect(Set(slow.map { Float($0) }).count == 1)
    for (id, options) in [
      ("update.setting", ["--learning-rate", "1e9"]), ("update.setting", ["--target-name", "y"]),
      ("update.setting", ["--epochs", "21"]), ("update.setting", ["--batch-size", "4"]),
      ("update.setting", ["--beta1", "0.5"]),
    ] {
      let run = try update(model, work.path("data.npz"), out, options)
      #expect(run.status == 2 && run.errors.contains("[\(id)]"), "\(options): \(run.errors)")
    }
  }

  /// Whoever names a loss says all of it, also of inputs without an axis of examples.
  @Test func describedByOptions() throws {
    let archive = try ModelArchive("updatable.zip")
    let record: UpdateRecord = try archive.record("classes_sgd")
    let work = try Workspace()
    try NPZ.write(record.tensors(target: "target"), to: work.path("data.npz"))
    let options = ["--loss", "cross-entropy", "--optimizer", "adam", "--clip-norm", "0.5", "--no-shuffle"]
    let model = archive.model("classes_sgd").path()
    let losses = try losses(try update(model, work.path("data.npz"), work.path("o.mlpackage"), options))
    #expect(losses.count == 10 && losses[9] < losses[0])
    #expect(try MLCProcess("verify", work.path("o.mlpackage")).status == 0)
  }

  @Test func labelsAreChecked() throws {
    let archive = try ModelArchive("updatable.zip")
    let record: UpdateRecord = try archive.record("picture_labels")
    let work = try Workspace()
    var tensors = record.tensors
    tensors[1].tensor = Tensor([record.targets.count], strings: record.targets.map { _ in "nobody's" })
    try NPZ.write(tensors, to: work.path("data.npz"))
    let run = try update(archive.model("picture_labels").path(), work.path("data.npz"), work.path("o.mlpackage"))
    #expect(run.status != 0 && run.errors.contains("[update.labels]"), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: work.path("o.mlpackage")))
  }

  @Test(arguments: [
    "texts_inverse_distance_linear_0", "integers_uniform_linear_0", "texts_uniform_kd_tree_2",
    "pipeline_classifier_network", "pipeline_plain_scaler",
  ]) func samplesAreAdded(name: String) throws {
    let archive = try ModelArchive("neighbors.zip")
    let record: NeighborRecord = try archive.record(name)
    let work = try Workspace()
    var model = archive.model(name).path()
    for (number, stage) in record.stages.enumerated().dropFirst() {
      let added = record.stages[number - 1].members.count..<stage.members.count
      try NPZ.write(record.tensors(added, of: stage), to: work.path("data.npz"))
      let out = work.path("stage\(number).mlpackage")
      let run = try update(model, work.path("data.npz"), out)
      try #require(run.status == 0, "\(run.errors)")
      #expect(try run.json()["samples"] as? Int == stage.members.count)
      let parameters = try CoreMLPackage.read(out, updatable: true).main.parameters
      func tensor(_ name: String) throws -> Tensor { try #require(parameters.first { $0.name == name }).contents }
      let samples = try tensor(Learning.Neighbors.samples).doubles
      #expect(zip(samples, stage.samples).allSatisfy { abs($0 - $1) < 1e-5 } && samples.count == stage.samples.count)
      #expect(try tensor(Learning.Neighbors.members).integers == stage.members)
      model = out
    }
    let run = try update(model, work.path("data.npz"), work.path("o.mlpackage"), ["--epochs", "3"])
    #expect(run.status == 2 && run.errors.contains("[update.setting]"))
  }

  private static func spec(_ path: String) throws -> CoreML_Specification_Model {
    let isPackage = path.hasSuffix("mlpackage")
    let file = isPackage ? "\(path)/Data/com.apple.CoreML/model.mlmodel" : path
    return try CoreML_Specification_Model(serializedBytes: Data(contentsOf: URL(filePath: file)))
  }
}

extension UpdateRecord {
  fileprivate var tensors: [(name: String, tensor: Tensor)] { tensors(target: target) }

  fileprivate func tensors(target: String) -> [(name: String, tensor: Tensor)] {
    [
      ("x", Tensor(.float32, [examples.count] + shape, examples.flatMap { $0 })), (target, targetTensor),
    ]
  }

  private var targetTensor: Tensor {
    var (labels, numbers, rows) = ([String](), [Int](), [[Double]]())
    for target in targets {
      switch target {
      case .label(let label): labels.append(label)
      case .number(let number): numbers.append(Int(number))
      case .numbers(let row): rows.append(row)
      }
    }
    if !labels.isEmpty { return Tensor([labels.count], strings: labels) }
    if !rows.isEmpty { return Tensor(.float32, [rows.count, rows[0].count], rows.flatMap { $0 }) }
    return Tensor(.int32, target == "classLabel" ? [numbers.count] : [numbers.count, 1], numbers)
  }
}

extension NeighborRecord {
  fileprivate func tensors(_ range: Range<Int>, of stage: Stage) -> [(name: String, tensor: Tensor)] {
    let rows = range.map { split(Array(stage.rows[$0 * width..<($0 + 1) * width])) }
    var tensors = inputs.indices.map { place in
      (
        name: inputs[place].name,
        tensor: Tensor(.float32, [range.count, inputs[place].count], rows.flatMap { $0[place].numbers })
      )
    }
    let labels = range.map { stage.classes[stage.members[$0]] }
    let texts = labels.compactMap { if case .text(let text) = $0 { text } else { nil } }
    let numbers = labels.compactMap { if case .number(let number) = $0 { number } else { nil } }
    tensors.append(
      ("label", texts.isEmpty ? Tensor(.int64, [range.count], numbers) : Tensor([range.count], strings: texts))
    )
    return tensors
  }
}

extension CoreML_Specification_Model {
  /// Without the numbers of what learns.
  fileprivate var withoutWeights: Self {
    var model = self
    switch type {
    case .neuralNetwork(var network)?:
      network.layers = network.layers.map { $0.withoutWeights }
      model.type = .neuralNetwork(network)
    case .neuralNetworkClassifier(var network)?:
      network.layers = network.layers.map { $0.withoutWeights }
      model.type = .neuralNetworkClassifier(network)
    case .neuralNetworkRegressor(var network)?:
      network.layers = network.layers.map { $0.withoutWeights }
      model.type = .neuralNetworkRegressor(network)
    case .pipeline(var pipeline)?:
      pipeline.models = pipeline.models.map { $0.withoutWeights }
      model.type = .pipeline(pipeline)
    case .pipelineClassifier(var outer)?:
      outer.pipeline.models = outer.pipeline.models.map { $0.withoutWeights }
      model.type = .pipelineClassifier(outer)
    case .pipelineRegressor(var outer)?:
      outer.pipeline.models = outer.pipeline.models.map { $0.withoutWeights }
      model.type = .pipelineRegressor(outer)
    default: break
    }
    return model
  }
}

extension CoreML_Specification_NeuralNetworkLayer {
  fileprivate var withoutWeights: Self {
    var result = self
    if case .innerProduct(var layer)? = layer, isUpdatable {
      (layer.weights.floatValue, layer.bias.floatValue) = ([], [])
      result.layer = .innerProduct(layer)
    }
    if case .convolution(var layer)? = layer, isUpdatable {
      (layer.weights.floatValue, layer.bias.floatValue) = ([], [])
      result.layer = .convolution(layer)
    }
    return result
  }
}
