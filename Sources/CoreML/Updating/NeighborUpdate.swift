import Foundation
import MLCCore
import MLCPackage
import MLCRuntime

/// Samples that are added to those of a nearest-neighbour classifier.
struct NeighborUpdate {
  private let features: MLCRuntime.Model
  private var samples: NeighborSamples

  /// Throws what loading throws.
  init(_ neighbors: Learning.Neighbors, _ learnt: LearntParameters, _ configuration: MLModelConfiguration) throws {
    features = try learnt.function(Learning.features, configuration)
    guard let samples = NeighborSamples(neighbors, learnt.tensors) else {
      throw MLModelError(.io, "the package does not hold what it learns")
    }
    self.samples = samples
  }

  /// Adds an example: inputs of the model, then the label. Throws `MLModelError.update` for one that has no finite row,
  /// and `featureType` for one that does not fit.
  mutating func add(_ example: [Tensor], _ number: Int) throws {
    let inputs = Array(example.dropLast())
    let results = try TrainingExamples.reporting(number) { () throws(Diagnostic) in try features.predict(inputs) }
    guard samples.add(results[0].floats, example[example.count - 1]) else {
      throw MLModelError(.update, "example \(number) has features that are no finite numbers")
    }
  }

  /// By the names of parameters.
  var learnt: [String: Tensor] { samples.learnt }
}
