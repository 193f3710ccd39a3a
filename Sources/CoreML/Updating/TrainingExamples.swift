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

  /// Throws what goes wrong with an example with its number: `MLModelError.featureType` where it does not fit, else
  /// `update`.
  static func reporting<R>(_ number: Int, _ body: () throws(Diagnostic) -> R) throws -> R {
    do throws(Diagnostic) { return try body() } catch {
      let error = MLModelError(error)
      let code: MLModelError.Code = error.code == .featureType ? .featureType : .update
      throw MLModelError(code, "example \(number): \(error.localizedDescription)")
    }
  }
}
