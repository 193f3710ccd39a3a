import CoreMLProto
import MLCCore

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
  /// Of a classifier's classes.
  private(set) var labels: ClassLabels?
  /// The value that holds a classifier's probabilities, `""` when it is the last layer's.
  private(set) var probabilities: String?

  /// `nil` when the model is none.
  init?(_ model: MLModelSpec, _ weights: NNWeights) {
    switch model.type {
    case .neuralNetwork(let spec)?: self.init(spec, weights)
    case .neuralNetworkRegressor(let spec)?: self.init(spec, weights)
    case .neuralNetworkClassifier(let spec)?:
      self.init(spec, weights)
      probabilities = spec.labelProbabilityLayerName
      labels =
        switch spec.classLabels {
        case .stringClassLabels(let labels)?: .strings(labels.vector)
        case .int64ClassLabels(let labels)?: .integers(labels.vector)
        case nil: nil
        }
    default: return nil
    }
  }

  private init(_ spec: some NNSpecification, _ weights: NNWeights) {
    (layers, preprocessing, self.weights) = (spec.layers, spec.preprocessing, weights)
    hasExactArrays = spec.arrayInputShapeMapping == .exactArrayMapping
    hasBatchedImages = spec.imageInputShapeMapping == .rank4ImageMapping
  }
}

/// What the three messages of networks have in common.
private protocol NNSpecification {
  var layers: [NNLayerSpec] { get }
  var preprocessing: [CoreML_Specification_NeuralNetworkPreprocessing] { get }
  var arrayInputShapeMapping: CoreML_Specification_NeuralNetworkMultiArrayShapeMapping { get }
  var imageInputShapeMapping: CoreML_Specification_NeuralNetworkImageShapeMapping { get }
}
extension CoreML_Specification_NeuralNetwork: NNSpecification {}
extension CoreML_Specification_NeuralNetworkRegressor: NNSpecification {}
extension CoreML_Specification_NeuralNetworkClassifier: NNSpecification {}
