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

  /// The fixture as bytes: its program and, under the names that the program gives them, its weights.
  @Test func modelsInMemoryAreCompiled() async throws {
    #expect(Sources.commandIsNamed)
    let folder = Sources.fixtures.appending(path: "cache.mlpackage/Data/com.apple.CoreML")
    let program = try Data(contentsOf: folder.appending(path: "model.mlmodel"))
    let weights = try? Data(contentsOf: folder.appending(path: "weights/weight.bin"))
    let place = try #require(URL(string: "@model_path/weights/weight.bin"))
    let asset = try MLModelAsset(specification: program, blobMapping: weights.map { [place: $0] } ?? [:])
    #expect(try await asset.modelDescription.stateDescriptionsByName.count == 2)
    let model = try await MLModel.load(asset: asset, configuration: MLModelConfiguration())
    #expect(model.modelDescription.inputDescriptionsByName.keys.sorted() == ["position", "row"])
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
