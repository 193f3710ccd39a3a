import CoreML
import Testing

/// What a configuration asks for in vain is said, and said of nothing else.
@Suite struct UnmetWishTests {
  @Test func whatThereIsIsNoWish() {
    let configuration = MLModelConfiguration()
    #expect(configuration.unmetWishes.isEmpty)
    configuration.computeUnits = .cpuOnly
    #expect(configuration.unmetWishes.isEmpty)
  }

  @Test func whatThereIsNotIsNamed() {
    let configuration = MLModelConfiguration()
    configuration.computeUnits = .cpuAndNeuralEngine
    #expect(configuration.unmetWishes.count == 1 && configuration.unmetWishes[0].contains("neural engine"))
    configuration.computeUnits = .cpuAndGPU
    configuration.allowLowPrecisionAccumulationOnGPU = true
    configuration.optimizationHints.reshapeFrequency = .infrequent
    configuration.optimizationHints.specializationStrategy = .fastPrediction
    #expect(configuration.unmetWishes.count == 4 && configuration.unmetWishes[0].contains("cpuAndGPU"))
  }

  @Test func devicesThatRunNoModelsAreNamed() {
    #expect(MLComputeDevice.allComputeDevices.allSatisfy { $0.unmetWish == nil })
    #expect(MLComputeDevice.gpu(MLGPUComputeDevice()).unmetWish?.contains("'GPU'") == true)
    #expect(MLComputeDevice.neuralEngine(MLNeuralEngineComputeDevice()).unmetWish?.contains("'Neural Engine'") == true)
  }
}
