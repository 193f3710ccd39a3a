import CoreMLProto
import Foundation
import MLCCore
import SwiftProtobuf

extension CoreMLPackage {
  /// Writes the model at `source` as its file has it, but for what it has learnt, by the names of its parameters: it
  /// can be updated as before. The package at `path` appears whole or not at all.
  ///
  /// Throws `file.write`, `coreml.update` for a layer that has no such weights, and what reading throws.
  package static func write(
    _ source: String,
    _ learning: Learning,
    learnt: [String: Tensor],
    to path: String
  ) throws(Diagnostic) {
    let file = try ModelFile.locate(source)
    let bytes = try MappedFile(path: file)
    var model: MLModelSpec
    do { model = try withExtendedLifetime(bytes) { try MLModelSpec(serializedBytes: Data(bytes.bytes)) } } catch {
      throw Diagnostic("coreml.malformed", "not a Core ML model", at: Location(file: source))
    }
    try locating(Location(file: source)) { () throws(Diagnostic) in
      guard try model.learn(learning, learnt) else {
        throw Diagnostic("coreml.update", "the file holds no model that learns")
      }
    }
    let folder = try PackageFolder(path)
    let others = URL(fileURLWithPath: file).deletingLastPathComponent().appending(path: "weights/weight.bin").path
    var digest: SHA256?
    if FileManager.default.fileExists(atPath: others) {
      let weights = try MappedFile(path: others)
      var hash = SHA256()
      withExtendedLifetime(weights) { hash.update(weights.bytes) }
      digest = hash
      do { try FileManager.default.copyItem(atPath: others, toPath: "\(folder.weights)/weight.bin") } catch {
        throw Diagnostic("file.write", "cannot write '\(path)': \(error.localizedDescription)", kind: .environment)
      }
    }
    try folder.finish(model: try PackageWriter.serialized(model), weights: digest?.uuid)
  }
}

extension MLModelSpec {
  /// Takes what was learnt into the model that learns, itself or the last of a pipeline; whether there is one. Throws
  /// `coreml.update`.
  fileprivate mutating func learn(_ learning: Learning, _ learnt: [String: Tensor]) throws(Diagnostic) -> Bool {
    switch (type, learning.method) {
    case (.neuralNetwork(var network)?, .network(let method)):
      try network.layers.learn(method, learnt)
      type = .neuralNetwork(network)
    case (.neuralNetworkClassifier(var network)?, .network(let method)):
      try network.layers.learn(method, learnt)
      type = .neuralNetworkClassifier(network)
    case (.neuralNetworkRegressor(var network)?, .network(let method)):
      try network.layers.learn(method, learnt)
      type = .neuralNetworkRegressor(network)
    case (.kNearestNeighborsClassifier(var classifier)?, .neighbors):
      classifier.learn(learnt)
      type = .kNearestNeighborsClassifier(classifier)
    case (.pipeline(var pipeline)?, _):
      guard try pipeline.learn(learning, learnt) else { return false }
      type = .pipeline(pipeline)
    case (.pipelineClassifier(var outer)?, _):
      guard try outer.pipeline.learn(learning, learnt) else { return false }
      type = .pipelineClassifier(outer)
    case (.pipelineRegressor(var outer)?, _):
      guard try outer.pipeline.learn(learning, learnt) else { return false }
      type = .pipelineRegressor(outer)
    default: return false
    }
    return true
  }
}

extension CoreML_Specification_Pipeline {
  fileprivate mutating func learn(_ learning: Learning, _ learnt: [String: Tensor]) throws(Diagnostic) -> Bool {
    guard let last = models.indices.last else { return false }
    return try models[last].learn(learning, learnt)
  }
}
