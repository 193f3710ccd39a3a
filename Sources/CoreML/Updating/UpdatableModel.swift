import Foundation
import MLCCore
import MLCPackage
import MLCRuntime

/// A model that an update made, or one that updates can make better: it can be written as a compiled package.
final class UpdatableModel: MLModel, MLWritable, @unchecked Sendable {  // constants
  /// The model of `original` with what `learnt` holds.
  init(_ original: MLModel, _ learnt: LearntParameters) {
    super.init(original.runtime.learning(learnt.tensors), original.configuration, learnt)
  }

  /// Writes the compiled package, a `.mlmodelc` folder. Throws `MLModelError.io`, also where the package that the model
  /// was loaded from is gone, damaged or another one.
  func write(to url: URL) throws {
    guard url.isFileURL, let learnt else { throw MLModelError(.io, "a model is written to a file URL") }
    let package = try learnt.package()
    try reporting { () throws(Diagnostic) in
      try PackageWriter.write(package, learning: learnt.contents, to: url.standardizedFileURL.path)
    }
  }
}

extension MLModel {
  /// What the model was given or has learnt: a setting such as `learningRate` or `numberOfNeighbors`, a number, or the
  /// `weights` or `biases` scoped to an updatable layer, a multi-array. Throws `MLModelError.parameters` for others.
  public func parameterValue(for key: MLParameterKey) throws -> Any {
    if let learnt, key.scope == nil, let name = Learning.Setting.Key(rawValue: key.name),
      learnt.learning.setting(name) != nil
    {
      return name.number(learnt.settings[name])
    }
    if let learnt, case .network(let network) = learnt.learning.method {
      let weight = network.weights.first { $0.layer == key.scope && $0.role.rawValue == key.name }
      if let weight, let tensor = learnt[weight.parameter] {
        // A copy: whoever changes the array leaves the model as it is.
        let copy = Tensor(tensor.shape.isEmpty ? [1] : tensor.shape, floats: tensor.floats)
        return try MLMultiArray(consuming: copy, output: weight.parameter)
      }
    }
    throw MLModelError(.parameters, "the model has no parameter '\(key)'")
  }
}
