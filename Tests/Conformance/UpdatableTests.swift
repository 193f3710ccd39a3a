import CoreMLProto
import Foundation
import MLCCompiler
import MLCCore
import MLCDriverCPU
import MLCFormatCoreML
import MLCGraph
import MLCKernels
import MLCPackage
import MLCRuntime
import MLCTraining
import SwiftProtobuf
import TestSupport
import Testing

/// Networks that coremltools made updatable learn as numpy says they do (`Tests/Corpora/coreml/make_updatable.py`): the
/// losses of ten epochs, and the weights after them.
@Suite(.serialized) struct UpdatableTests {
  static let names = [
    "classes_sgd", "exact", "large", "last_layer", "numbers_adam", "picture_labels", "picture_numbers",
    "pipeline_labels", "pipeline_numbers", "pipeline_picture", "scaled",
  ]

  @Test(arguments: names) func lossesAndWeights(name: String) throws {
    let archive = try ModelArchive("updatable.zip")
    defer { withExtendedLifetime(archive) {} }
    let record: UpdateRecord = try archive.record(name)
    let program = try CoreMLPackage.read(archive.model(name).path(), updatable: true).withLearning()
    for function in program.functions { try function.verify() }
    let device = DeviceSet.here[name.count % DeviceSet.here.count].name
    var trained = try Trained(program, device)
    for (epoch, expected) in record.losses.enumerated() {
      let loss = try trained.epoch(record)
      #expect(abs(loss - expected) <= 1e-4 * max(1, expected), "epoch \(epoch): \(loss), not \(expected)")
    }
    for (weight, tensor) in zip(trained.network.weights, trained.weights) {
      let expected = try #require(record.weights[weight.layer])[weight.role == .weights ? 0 : 1]
      let distance = zip(tensor.doubles, expected).map { abs($0 - $1) }.max() ?? .infinity
      #expect(distance < 2e-4 && tensor.count == expected.count, "\(weight.parameter) is \(distance) off")
    }
    // What was learnt is what predictions take.
    var options = Model.Options()
    options.device = device
    let names = trained.network.weights.map(\.parameter)
    options.parameters = Dictionary(uniqueKeysWithValues: zip(names, trained.weights))
    let before = try trained.package.model(on: device)
    let after = try Model.load(path: trained.package.path, drivers: [try CPUDriver(threads: 1)], options: options)
    let x = record.input(0, like: program.main)
    #expect(try before.predict([x]) != after.predict([x]))
  }
}

/// Networks whose updates contradict themselves.
@Suite struct UpdateContradictionTests {
  typealias Update = CoreML_Specification_NetworkUpdateParameters

  private static let damages: [@Sendable (inout Update) -> Void] = [
    { $0.lossLayers = [] },
    { $0.lossLayers += $0.lossLayers },
    { $0.lossLayers[0].categoricalCrossEntropyLossLayer.input = "q" },
    { $0.lossLayers[0].categoricalCrossEntropyLossLayer.target = "q" },
    { $0.clearOptimizer() },
    { $0.optimizer.sgdOptimizer.learningRate.defaultValue = 7 },
    { $0.optimizer.sgdOptimizer.momentum.range.maxValue = -1 },
    { $0.optimizer.sgdOptimizer.miniBatchSize.set.values = [6] },
  ]

  @Test(arguments: damages.indices) func refused(number: Int) throws {
    let archive = try ModelArchive("updatable.zip")
    let url = archive.model("classes_sgd")
    var model = try CoreML_Specification_Model(serializedBytes: Data(contentsOf: url))
    Self.damages[number](&model.neuralNetwork.updateParams)
    try model.serializedData().write(to: url)
    do throws(Diagnostic) {
      _ = try CoreMLPackage.read(url.path(), updatable: true)
      Issue.record("it was read")
    } catch { #expect(error.id == "coreml.update", "\(error)") }
    // Its predictions are as good as before.
    let program = try CoreMLPackage.read(url.path())
    #expect(program.learning == nil && program.main.parameters.isEmpty)
  }

  @Test func noLayerIsUpdated() throws {
    let archive = try ModelArchive("updatable.zip")
    let url = archive.model("classes_sgd")
    var model = try CoreML_Specification_Model(serializedBytes: Data(contentsOf: url))
    for place in model.neuralNetwork.layers.indices { model.neuralNetwork.layers[place].isUpdatable = false }
    try model.serializedData().write(to: url)
    #expect { _ = try CoreMLPackage.read(url.path(), updatable: true) } throws: {
      ($0 as? Diagnostic)?.id == "coreml.update"
    }
  }
}

extension UpdateRecord {
  fileprivate func input(_ place: Int, like function: Function) -> Tensor {
    let type = function.type(function.inputs[0])
    return Tensor(type.dtype, type.shape.map { $0.constant ?? 0 }, examples[place])
  }
}

extension UpdateRecord.Target {
  fileprivate func tensor(_ type: TensorType) -> Tensor {
    let shape = type.shape.map { $0.constant ?? 0 }
    return switch self {
    case .label(let label): Tensor(shape, strings: [label])
    case .number(let number): Tensor(type.dtype, shape, [number])
    case .numbers(let numbers): Tensor(type.dtype, shape, numbers)
    }
  }
}

/// A network and what it has learnt so far, by the contract of `Learning`.
private struct Trained {
  let package: CompiledPackage
  let network: Learning.Network
  private(set) var weights: [Tensor]
  private let program: Program, learning: Learning
  private let gradients: Model, step: Model
  private var moments: [Tensor]

  init(_ program: Program, _ device: String) throws {
    let source = try #require(program.learning)
    guard case .network(let network) = source.learning.method else { throw Problem("no network") }
    (self.program, learning, self.network) = (program, source.learning, network)
    package = try CompiledPackage(program, for: [device])
    gradients = try package.model(on: device, function: Learning.gradients)
    step = try package.model(on: device, function: Learning.step)
    weights = try network.weights.map { weight in
      try #require(program.main.parameters.first { $0.name == weight.parameter }).contents
    }
    let settings = network.optimizer == .sgd ? 2 : 4
    moments = step.interface.inputs.dropFirst(1 + settings + weights.count).dropLast(weights.count).map { port in
      let shape = port.type.shape.map { $0.constant ?? 0 }
      return Tensor(.float32, shape, [Double](repeating: 0, count: shape.reduce(1, *)))
    }
  }

  /// The mean of the examples' losses, each before the step that it is in.
  mutating func epoch(_ record: UpdateRecord) throws -> Double {
    let batch = Int(try #require(learning.setting(.miniBatchSize)).value)
    let keys: [Learning.Setting.Key] =
      network.optimizer == .sgd
      ? [.learningRate, .momentum]
      : [
        .learningRate, .beta1, .beta2, .eps,
      ]
    let settings = try keys.map { Tensor.scalar(.float32, try #require(learning.setting($0)).value) }
    var total = 0.0
    for first in stride(from: 0, to: record.examples.count, by: batch) {
      var sums = weights.map { Tensor(.float32, $0.shape, [Double](repeating: 0, count: $0.count)) }
      let part = first..<min(first + batch, record.examples.count)
      for place in part {
        let target = record.targets[place].tensor(gradients.interface.inputs[1].type)
        let results = try gradients.predict([record.input(place, like: program.main), target] + weights + sums)
        total += results[0].doubles[0]
        sums = Array(results.dropFirst())
      }
      let results = try step.predict([.scalar(.float32, Double(part.count))] + settings + weights + moments + sums)
      (weights, moments) = (Array(results.prefix(weights.count)), Array(results.dropFirst(weights.count)))
    }
    return total / Double(record.examples.count)
  }
}

private struct Problem: Error {
  let text: String
  init(_ text: String) { self.text = text }
}
