import CoreMLProto
import MLCCore

typealias NNSpec = CoreML_Specification_NeuralNetwork
typealias NNLayerSpec = CoreML_Specification_NeuralNetworkLayer
typealias NNWeightSpec = CoreML_Specification_WeightParams
typealias NNBorders = CoreML_Specification_BorderAmounts

/// A neural network of a Core ML model: alone, as a classifier or as a regressor.
struct NNModel: Sendable {
  let layers: [NNLayerSpec]
  let preprocessing: [CoreML_Specification_NeuralNetworkPreprocessing]
  /// Whether arrays are the tensors that the layers see; else they are `[C]` or `[C, H, W]` of a sequence of batches.
  let hasExactArrays: Bool
  /// Whether images are `[1, C, H, W]` to the layers; else `[1, 1, C, H, W]`.
  let hasBatchedImages: Bool
  let weights: NNWeights
  /// Names of a classifier's classes.
  private(set) var labels: [String] = []
  /// The value that holds a classifier's probabilities, `""` when it is the last layer's.
  private(set) var probabilities: String?

  /// `nil` when the model is none.
  init?(_ model: MLModelSpec, _ weights: NNWeights) {
    switch model.type {
    case .neuralNetwork(let spec)?:
      self.init(
        spec.layers,
        spec.preprocessing,
        spec.arrayInputShapeMapping,
        spec.imageInputShapeMapping,
        weights
      )
    case .neuralNetworkRegressor(let spec)?:
      self.init(
        spec.layers,
        spec.preprocessing,
        spec.arrayInputShapeMapping,
        spec.imageInputShapeMapping,
        weights
      )
    case .neuralNetworkClassifier(let spec)?:
      self.init(
        spec.layers,
        spec.preprocessing,
        spec.arrayInputShapeMapping,
        spec.imageInputShapeMapping,
        weights
      )
      probabilities = spec.labelProbabilityLayerName
      labels =
        switch spec.classLabels {
        case .stringClassLabels(let labels)?: labels.vector
        case .int64ClassLabels(let labels)?: labels.vector.map { "\($0)" }
        case nil: []
        }
    default: return nil
    }
  }

  private init(
    _ layers: [NNLayerSpec],
    _ preprocessing: [CoreML_Specification_NeuralNetworkPreprocessing],
    _ arrays: CoreML_Specification_NeuralNetworkMultiArrayShapeMapping,
    _ images: CoreML_Specification_NeuralNetworkImageShapeMapping,
    _ weights: NNWeights
  ) {
    (self.layers, self.preprocessing, self.weights) = (layers, preprocessing, weights)
    (hasExactArrays, hasBatchedImages) = (arrays == .exactArrayMapping, images == .rank4ImageMapping)
  }
}
