import CoreMLProto
import MLCCore

extension [CoreML_Specification_NeuralNetworkLayer] {
  /// Takes the weights of `network` from `learnt`. Throws `coreml.update` for a layer that has none.
  mutating func learn(_ network: Learning.Network, _ learnt: [String: Tensor]) throws(Diagnostic) {
    for weight in network.weights {
      guard let tensor = learnt[weight.parameter] else { continue }
      guard let place = firstIndex(where: { $0.name == weight.layer }), self[place].learn(tensor, weight.role) else {
        throw Diagnostic("coreml.update", "the layer '\(weight.layer)' has no \(weight.role.rawValue) to write")
      }
    }
  }
}

extension CoreML_Specification_NeuralNetworkLayer {
  /// Whether the layer is of a kind that has such weights.
  fileprivate mutating func learn(_ tensor: Tensor, _ role: Learning.Weight.Role) -> Bool {
    switch layer {
    case .convolution(var layer)?:
      if role == .weights { layer.weights.learn(tensor) } else { layer.bias.learn(tensor) }
      self.layer = .convolution(layer)
    case .convolution3D(var layer)?:
      if role == .weights { layer.weights.learn(tensor) } else { layer.bias.learn(tensor) }
      self.layer = .convolution3D(layer)
    case .innerProduct(var layer)?:
      if role == .weights { layer.weights.learn(tensor) } else { layer.bias.learn(tensor) }
      self.layer = .innerProduct(layer)
    case .batchedMatmul(var layer)?:
      if role == .weights { layer.weights.learn(tensor) } else { layer.bias.learn(tensor) }
      self.layer = .batchedMatmul(layer)
    default: return false
    }
    return true
  }
}

extension CoreML_Specification_WeightParams {
  /// Holds these numbers, as floats of 32 bits.
  fileprivate mutating func learn(_ tensor: Tensor) {
    let isUpdatable = self.isUpdatable
    self = .init()
    (floatValue, self.isUpdatable) = (tensor.floats, isUpdatable)
  }
}
