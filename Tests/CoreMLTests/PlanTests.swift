import CoreML
import Foundation
import Testing

@Suite struct PlanTests {
  private static func compiled(_ fixture: String) async throws -> URL {
    #expect(Sources.commandIsNamed)
    return try await MLModel.compileModel(
      at: Sources.root.appending(path: "Tests/MLCFormatCoreMLTests/Fixtures/\(fixture)")
    )
  }

  private static func plan(_ url: URL, function: String? = nil) async throws -> MLComputePlan {
    let configuration = MLModelConfiguration()
    configuration.functionName = function
    return try await MLComputePlan.load(contentsOf: url, configuration: configuration)
  }

  /// Weights of operations, nested ones too, that have one.
  private static func weights(_ plan: MLComputePlan, _ block: MLModelStructure.Program.Block) -> [Double] {
    block.operations.flatMap { operation in
      (plan.estimatedCost(of: operation).map { [$0.weight] } ?? []) + operation.blocks.flatMap { weights(plan, $0) }
    }
  }

  @Test func programsOfTheGraph() async throws {
    let plan = try await Self.plan(Models.affine.get())
    guard case .program(let program) = plan.modelStructure else { throw Failure() }
    let main = try #require(program.functions["main"])
    #expect(main.inputs.map { "\($0.name) \($0.type)" } == ["x fp32[n, 3]", "ids int64[2]"])
    #expect(main.block.operations.map { $0.operatorName } == ["mul", "add", "add"])
    #expect(main.block.outputNames == ["y", "doubled"] && main.block.inputs.isEmpty)
    let product = main.block.operations[0]
    guard case .name(let name)? = product.inputs["x"]?.bindings.first, name == "x",
      case .value(let two)? = product.inputs["y"]?.bindings.first, two.description == "fp32[]"
    else { throw Failure() }
    #expect(product.outputs.map { "\($0.name) \($0.type)" } == ["product fp32[n, 3]"] && product.blocks.isEmpty)
    #expect(abs(Self.weights(plan, main.block).reduce(0, +) - 1) < 1e-9)
    let usage = try #require(plan.deviceUsage(for: product))
    #expect(usage.supported == [usage.preferred] && usage.preferred == MLComputeDevice.allComputeDevices[0])
    #expect(usage.unsupported.count == 2 && usage.unsupported.allSatisfy { $0.reason.contains("this machine") })
    #expect(usage.kernelNames == plan.deviceUsage(for: main.block.operations[1])?.kernelNames, "they were fused")
    let other = try await Self.plan(Models.heavy.get())
    #expect(other.deviceUsage(for: product) == nil, "of another model")
  }

  @Test func programsOfCoreML() async throws {
    let url = try await Self.compiled("mil_while_loop.mlpackage")
    let asset = try MLModelAsset(url: url)
    let plan = try await MLComputePlan.load(asset: asset, configuration: MLModelConfiguration())
    guard case .program(let program) = plan.modelStructure,
      case .program(let alone) = try await MLModelStructure.load(asset: asset)
    else { throw Failure() }
    let block = try #require(program.functions["main"]?.block)
    #expect(
      alone.functions["main"]?.block.operations.map { $0.operatorName } == block.operations.map { $0.operatorName }
    )
    let loop = try #require(block.operations.first { $0.operatorName == "while_loop" })
    #expect(loop.blocks.count == 2 && !loop.blocks[1].operations.isEmpty && !loop.blocks[1].inputs.isEmpty)
    if let constant = block.operations.first(where: { $0.operatorName == "const" }) {
      #expect(plan.deviceUsage(for: constant) == nil && plan.estimatedCost(of: constant) == nil)
    }
    #expect(abs(Self.weights(plan, block).reduce(0, +) - 1) < 1e-9)
  }

  @Test func functionsHavePlansOfTheirOwn() async throws {
    let url = try await Self.compiled("mil_multifunction.mlpackage")
    guard case .program(let program) = try await MLModelStructure.load(contentsOf: url) else { throw Failure() }
    #expect(program.functions.count > 1)
    for (name, function) in program.functions {
      let plan = try await Self.plan(url, function: name)
      #expect(abs(Self.weights(plan, function.block).reduce(0, +) - 1) < 1e-9, "\(name)")
      for (other, function) in program.functions where other != name {
        #expect(Self.weights(plan, function.block).isEmpty)
      }
    }
    await #expect(throws: MLModelError.self) { try await Self.plan(url, function: "none") }
  }

  @Test func networks() async throws {
    let plan = try await Self.plan(Self.compiled("nn_classifier.mlmodel"))
    guard case .neuralNetwork(let network) = plan.modelStructure else { throw Failure() }
    #expect(network.layers.contains { $0.type == "innerProduct" && $0.inputNames.count == 1 && !$0.name.isEmpty })
    let weights = network.layers.compactMap { plan.estimatedCost(of: $0)?.weight }
    #expect(weights.count == network.layers.count && abs(weights.reduce(0, +) - 1) < 1e-9)
    #expect(network.layers.allSatisfy { plan.deviceUsage(for: $0) != nil })
  }

  @Test func pipelines() async throws {
    let plan = try await Self.plan(Self.compiled("pipeline_nn.mlmodel"))
    guard case .pipeline(let pipeline) = plan.modelStructure else { throw Failure() }
    #expect(pipeline.subModels.count > 1 && pipeline.subModelNames.count == pipeline.subModels.count)
    var sum = 0.0
    for case .neuralNetwork(let network) in pipeline.subModels {
      for layer in network.layers { sum += plan.estimatedCost(of: layer)?.weight ?? 0 }
    }
    #expect(abs(sum - 1) < 1e-9)
  }

  @Test func modelsOfOtherKinds() async throws {
    let plan = try await Self.plan(Self.compiled("linear.mlmodel"))
    guard case .unsupported = plan.modelStructure else { throw Failure() }
    await #expect(throws: MLModelError.self) { try await Self.plan(URL(filePath: "/nowhere.mlmodelc")) }
    await #expect(throws: MLModelError.self) {
      try await MLModelStructure.load(contentsOf: URL(filePath: "/nowhere.mlmodelc"))
    }
  }

  private struct Failure: Error {}
}
