import CoreML
import Foundation
import Testing

// An application that fetches models, compiles them on the device, keeps what came of it and loads it in background.

/// The models that an application has at hand.
private actor ModelStore {
  private let folder: URL
  private var loaded: [String: MLModel] = [:]

  init(folder: URL) { self.folder = folder }

  /// The model of that name, compiled and loaded once. `source` is where it was downloaded to.
  func model(named name: String, from source: URL) async throws -> MLModel {
    if let model = loaded[name] { return model }
    let permanent = folder.appendingPathComponent("\(name).mlmodelc")
    if !FileManager.default.fileExists(atPath: permanent.path) {
      let compiled = try await MLModel.compileModel(at: source)
      try FileManager.default.moveItem(at: compiled, to: permanent)
    }
    let configuration = MLModelConfiguration()
    configuration.computeUnits = .all
    configuration.modelDisplayName = name
    let model = try await MLModel.load(contentsOf: permanent, configuration: configuration)
    loaded[name] = model
    return model
  }
}

@Suite struct LoadingSample {
  @Test func modelsAreCompiledOnceAndKept() async throws {
    #expect(Sources.commandIsNamed)
    let workspace = try Workspace()
    let source = Sources.fixtures.appending(path: "cache.mlpackage")
    let store = ModelStore(folder: workspace.url)
    let model = try await store.model(named: "Cache", from: source)
    #expect(model.configuration.modelDisplayName == "Cache")
    #expect(try await store.model(named: "Cache", from: source) === model)
    // The next run of the application: the source is not needed again.
    let again = try await ModelStore(folder: workspace.url).model(
      named: "Cache",
      from: URL(filePath: "/gone.mlpackage")
    )
    #expect(again.modelDescription.stateDescriptionsByName.count == 2)
    await #expect(throws: MLModelError.self) {
      try await ModelStore(folder: workspace.url).model(named: "Other", from: URL(filePath: "/gone.mlpackage"))
    }
  }

  @Test func handlersGetModels() async throws {
    let url = try Models.affine.get()
    let names = await withCheckedContinuation { (done: CheckedContinuation<[String], Never>) in
      MLModel.load(contentsOf: url, configuration: MLModelConfiguration()) { result in
        switch result {
        case .success(let model): done.resume(returning: model.modelDescription.inputDescriptionsByName.keys.sorted())
        case .failure(let error): done.resume(returning: [error.localizedDescription])
        }
      }
    }
    #expect(names == ["ids", "x"])
  }

  /// In asynchronous code a call without `await` is the form that waits where it stands in a closure or a function of
  /// its own, or where the form is taken as a value.
  @Test func compilingMayBeWaitedFor() async throws {
    #expect(Sources.commandIsNamed)
    let source = Sources.fixtures.appending(path: "cache.mlpackage")
    func compiled() throws -> URL { try MLModel.compileModel(at: source) }
    let compile: (URL) throws -> URL = MLModel.compileModel
    let urls = [
      try await MLModel.compileModel(at: source), try { try MLModel.compileModel(at: source) }(), try compiled(),
      try compile(source),
    ]
    defer { for url in urls { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) } }
    #expect(Set(urls).count == 4 && urls.allSatisfy { $0.pathExtension == "mlmodelc" })
  }
}
