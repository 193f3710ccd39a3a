import Foundation
import MLCCore
import MLCPackage

/// Examples of an application, one by one as tensors.
struct TrainingExamples: @unchecked Sendable {  // the provider is read by one thread at a time
  private let provider: any MLBatchProvider
  private let features: ModelFeatures

  /// Throws `MLModelError.update` where there are none.
  init(_ provider: any MLBatchProvider, _ learnt: LearntParameters) throws {
    guard provider.count > 0 else { throw MLModelError(.update, "there are no examples to learn from") }
    self.provider = provider
    features = ModelFeatures(inputs: learnt.trainingInputs, symbols: learnt.interface.symbols)
  }

  var count: Int { provider.count }

  /// The inputs of the model, then the target. Throws `MLModelError.featureType` with the number of the example.
  subscript(_ number: Int) -> [Tensor] {
    get throws {
      do { return try FeatureTensors.inputs(features, from: provider.features(at: number)) } catch let error
        as MLModelError
      { throw MLModelError(error.code, "example \(number): \(error.localizedDescription)") }
    }
  }
}
