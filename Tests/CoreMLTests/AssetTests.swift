import CoreML
import Foundation
import Testing

@Suite struct AssetTests {
  @Test func packagesAreDescribedWithoutBeingLoaded() async throws {
    let asset = try MLModelAsset(url: Models.affine.get())
    #expect(try await asset.functionNames == ["main"])
    #expect(try await asset.modelDescription.inputDescriptionsByName.keys.sorted() == ["ids", "x"])
    #expect(try await asset.modelDescription(of: "main").metadata[.author] as? String == "Someone")
    await #expect(throws: MLModelError.self) { try await asset.modelDescription(of: "other") }
    let model = try await MLModel.load(asset: asset, configuration: MLModelConfiguration())
    #expect(model.modelDescription.outputDescriptionsByName.count == 2)
    #expect(throws: MLModelError.self) { try MLModelAsset(url: URL(filePath: "/nowhere.mlmodelc")) }
  }

  @Test func handlersAreTold() async throws {
    let asset = try MLModelAsset(url: Models.affine.get())
    let names = await withCheckedContinuation { done in asset.functionNames { done.resume(returning: ($0, $1)) } }
    #expect(names.0 == ["main"] && names.1 == nil)
    let failure = await withCheckedContinuation { done in
      asset.modelDescription(ofFunctionNamed: "other") { done.resume(returning: ($0, $1)) }
    }
    #expect(failure.0 == nil && failure.1 is MLModelError)
    let model = await withCheckedContinuation { done in
      MLModel.load(asset, configuration: MLModelConfiguration()) { done.resume(returning: ($0, $1)) }
    }
    #expect(model.0 != nil && model.1 == nil)
  }

  /// The fixture has no file of weights.
  @Test func modelsInMemoryAreCompiled() async throws {
    #expect(Sources.commandIsNamed)
    let program = Sources.fixtures.appending(path: "cache.mlpackage/Data/com.apple.CoreML/model.mlmodel")
    let asset = try MLModelAsset(specification: Data(contentsOf: program))
    #expect(try await asset.modelDescription.stateDescriptionsByName.count == 2)
    let model = try await MLModel.load(asset: asset, configuration: MLModelConfiguration())
    #expect(model.modelDescription.inputDescriptionsByName.keys.sorted() == ["position", "row"])
  }

  /// A converted model as bytes: the program, and under the name that it gives them its weights.
  @Test(arguments: ["@model_path/weights/weight.bin", "weights/weight.bin", "file:///else/weights/weight.bin"])
  func weightsInMemoryAreFound(place: String) async throws {
    #expect(Sources.commandIsNamed)
    let folder = try Workspace()
    let package = folder.url.appending(path: "model.mlpackage")
    let source = Sources.root.appending(path: "Tests/CommandLineTests/Fixtures/classifier.onnx")
    let process = Process()
    process.executableURL = URL(filePath: Sources.command)
    process.arguments = ["convert", source.path(), "-o", package.path()]
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    process.waitUntilExit()
    let parts = package.appending(path: "Data/com.apple.CoreML")
    let program = try Data(contentsOf: parts.appending(path: "model.mlmodel"))
    let weights = try Data(contentsOf: parts.appending(path: "weights/weight.bin"))
    let url = try #require(URL(string: place))
    let asset = try MLModelAsset(specification: program, blobMapping: [url: weights])
    let model = try await MLModel.load(asset: asset, configuration: MLModelConfiguration())
    let (name, input) = try #require(model.modelDescription.inputDescriptionsByName.first)
    let constraint = try #require(input.multiArrayConstraint)
    let array = try MLMultiArray(shape: constraint.shape, dataType: constraint.dataType)
    let output = try await model.prediction(from: MLDictionaryFeatureProvider(dictionary: [name: array]))
    #expect(!output.featureNames.isEmpty)
    // Without them the program has nothing to compute with.
    let incomplete = try MLModelAsset(specification: program)
    await #expect(throws: MLModelError.self) { try await incomplete.functionNames }
  }

  @Test func whatIsNoModelIsRefused() async throws {
    #expect(Sources.commandIsNamed)
    #expect(throws: MLModelError.self) { try MLModelAsset(specification: Data()) }
    for path in ["../weight.bin", "weights/../../weight.bin"] {
      let place = try #require(URL(string: path))
      #expect(throws: MLModelError.self) { try MLModelAsset(specification: Data([1]), blobMapping: [place: Data()]) }
    }
    let asset = try MLModelAsset(specification: Data("no model".utf8))
    await #expect(throws: MLModelError.self) { try await asset.functionNames }
  }
}
