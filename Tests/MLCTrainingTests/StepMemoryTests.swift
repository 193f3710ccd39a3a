import Foundation
import MLCCompiler
import MLCCore
import MLCDriverCPU
import MLCGradients
import MLCGraph
import MLCRuntime
import MLCTargetC
import MLCTraining
import Testing

/// Steps of training change weights and moments where they lie.
@Suite struct StepMemoryTests {
  private struct Recipe: Sendable, CustomStringConvertible {
    let description: String
    let optimizer: any Optimizer
    let clips: Bool
  }
  private static let recipes = [
    Recipe(description: "sgd", optimizer: SGD(momentum: false), clips: false),
    Recipe(description: "momentum", optimizer: SGD(momentum: true), clips: false),
    Recipe(description: "adam", optimizer: Adam(), clips: false),
    Recipe(description: "adamw, clipped", optimizer: Adam(decay: .decoupled), clips: true),
  ]

  /// What is changed in place has the bits of what is computed into other memory, step by step, and stays where it is;
  /// a tensor that somebody else holds keeps its elements.
  @Test(arguments: zip(1...8 as ClosedRange<UInt64>, recipes + recipes))
  private func stepsInPlace(_ seed: UInt64, _ recipe: Recipe) throws {
    let network = try DrawnNetwork(seed: seed, batch: seed <= 4 ? 8 : .symbol("batch"))
    var options = TrainingStep.Options(CategoricalCrossEntropy(.probabilities, targets: .classes), recipe.optimizer)
    options.clips = recipe.clips
    let step = try TrainingStep(network.function, parameters: try network.function.trainable([]), options)
    let model = try Self.model(step.function)
    #expect(model.statesInPlace == Array(step.initial.indices))
    let examples = network.archive.map { Self.examples(of: $0.tensor) }
    let target = step.function.type(step.function.inputs[1]).dtype
    let inputs =
      [examples[0], examples[1].converted(to: target)]
      + options.hyperparameters.map { .scalar(.float32, $0.initial) }
    var (states, apart) = (step.initial.map { $0.contents }, step.initial.map { $0.contents })
    var addresses: [UnsafeRawPointer?] = []
    for round in 0..<4 {
      let loss = try model.update(inputs, &states)
      let results = try model.predict(inputs + apart)
      apart = Array(results.dropFirst())
      #expect(loss == [results[0]] && states == apart, "round \(round)")
      let now = states.map { $0.withBytes { $0.baseAddress } }
      #expect(round == 0 || now == addresses)
      addresses = now
    }
    let kept = states
    _ = try model.update(inputs, &states)
    #expect(kept == apart && states != apart)
  }

  /// The first eight.
  private static func examples(of tensor: Tensor) -> Tensor {
    let shape = [8] + tensor.shape.dropFirst()
    return Tensor(tensor.dtype, shape, Array(tensor.doubles.prefix(shape.reduce(1, *))))
  }

  private static func model(_ function: Function) throws -> Model {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mlc-steps-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "step.mlmodelc").path()
    _ = try Compiler(CompileOptions(), targets: [CTarget.self]).compile(Program([function]), to: path)
    return try Model.load(path: path, drivers: [try CPUDriver(threads: 2)])
  }
}
