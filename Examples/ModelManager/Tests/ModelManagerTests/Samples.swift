import CoreML
import Foundation
import Testing

/// What the tests work with: models of Scripts/make_models.py, and folders that are removed in the end.
enum Samples {
  static func model(_ name: String) throws -> URL {
    try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil)).appendingPathComponent(name)
  }

  /// `body` with a new folder.
  static func inFolder<R>(_ body: (URL) async throws -> R) async throws -> R {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("models-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
  }

  /// A downloaded model as the command `mlc` compiles it. The command is what `MLC` names, else what this package has
  /// built.
  static func compile(_ model: URL) async throws -> URL {
    let built = Bundle.main.bundleURL.appendingPathComponent("mlc-tool").path
    if FileManager.default.isExecutableFile(atPath: built) { setenv("MLC", built, 0) }
    return try await MLModel.compileModel(at: model)
  }

  /// What the model makes of 1 … 5.
  @Sendable static func answers(_ model: MLModel) throws -> [Float] {
    let input = MLShapedArray<Float>(scalars: [1, 2, 3, 4, 5], shape: [5])
    let features = try MLDictionaryFeatureProvider(dictionary: ["x": MLFeatureValue(shapedArray: input)])
    let output = try model.prediction(from: features)
    return try #require(output.featureValue(for: "y")?.shapedArrayValue(of: Float.self)).scalars
  }
}

/// How often something has happened.
actor Counter {
  private(set) var count = 0
  func add() { count += 1 }
}

/// Lets nobody pass until it is opened.
actor Gate {
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func pass() async {
    if isOpen { return }
    await withCheckedContinuation { waiting.append($0) }
  }

  func open() {
    isOpen = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}
