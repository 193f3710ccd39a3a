import CoreML
import Foundation
import Synchronization
import TestSupport
import Testing

/// Packages that others replace or change while a model that was loaded from them is updated or written.
@Suite struct ReplacedPackageTests {
  private typealias Damage = @Sendable (_ package: URL, _ other: URL) throws -> Void

  /// What is done to a package, and what errors say of it.
  private static let damages: [(damage: Damage, says: String)] = [
    (replace, "another one"),
    ({ package, _ in try FileManager.default.removeItem(at: package) }, "[package.missing-file]"),
    ({ package, _ in try changeCode(package) }, "[package.digest]"),
    ({ package, _ in try damageManifest(package) }, "[package.json]"),
  ]

  private static func damageManifest(_ package: URL) throws {
    try Data("{".utf8).write(to: package.appending(path: "manifest.json"), options: .atomic)
  }

  private static func replace(_ package: URL, by other: URL) throws {
    try FileManager.default.removeItem(at: package)
    try FileManager.default.copyItem(at: other, to: package)
  }

  /// Puts another file in the place of each file of code, with one bit flipped.
  private static func changeCode(_ package: URL) throws {
    let names = try FileManager.default.subpathsOfDirectory(atPath: package.path())
    for name in names where name.hasSuffix("kernels.so") {
      var data = try Data(contentsOf: package.appending(path: name))
      data[data.count / 2] ^= 4
      try data.write(to: package.appending(path: name), options: .atomic)
    }
  }

  /// A copy of a model, which another may take the place of.
  private func models(_ folder: Workspace) async throws -> (package: URL, other: URL, network: UpdatableNetwork) {
    let network = try await UpdatableNetwork("classes_sgd")
    let package = folder.url.appending(path: "model.mlmodelc")
    try FileManager.default.copyItem(at: network.compiled, to: package)
    return (package, try await ModelArchive("updatable.zip").compiled("last_layer"), network)
  }

  private func expect(_ says: String, _ error: (any Error)?) {
    #expect((error as? MLModelError)?.code == .io, "\(String(describing: error))")
    #expect(error?.localizedDescription.contains(says) == true, "\(String(describing: error))")
  }

  @Test(arguments: damages.indices) func aTaskThatBeginsEndsWithOneError(number: Int) async throws {
    let folder = try Workspace()
    let (package, other, network) = try await models(folder)
    let batch = try network.batch()
    let (damage, says) = Self.damages[number]
    let context: MLUpdateContext = try await withCheckedThrowingContinuation { continuation in
      do {
        let task = try MLUpdateTask(forModelAt: package, trainingData: batch) { continuation.resume(returning: $0) }
        try damage(package, other)
        task.resume()
      } catch { continuation.resume(throwing: error) }
    }
    #expect(context.task.state == .failed)
    expect(says, context.task.error)
  }

  /// What learns has opened all that it takes; what it has learnt cannot be written.
  @Test(arguments: damages.indices) func aModelIsNotWrittenWithAnotherOnesCode(number: Int) async throws {
    let folder = try Workspace()
    let (package, other, network) = try await models(folder)
    let (damage, says) = Self.damages[number]
    let problem = Mutex<String?>(nil)
    let context = try await updated(package, try network.batch(), events: .trainingBegin) { _ in
      do { try damage(package, other) } catch { problem.withLock { $0 = "\(error)" } }
    }
    #expect(problem.withLock { $0 } == nil)
    #expect(context.task.state == .completed)
    let loss = try #require(context.metrics[.lossValue] as? Double)
    #expect(abs(loss - network.record.losses[network.record.losses.count - 1]) < 1e-4)
    let target = folder.url.appending(path: "target.mlmodelc")
    do {
      try context.model.write(to: target)
      Issue.record("it was written")
    } catch { expect(says, error) }
    #expect(!FileManager.default.fileExists(atPath: target.path()))
  }

  /// An application may put what it has learnt in the place of what it began with, at each epoch.
  @Test func updatesTakeThePlaceOfTheirModel() async throws {
    let folder = try Workspace()
    let (package, _, network) = try await models(folder)
    let batch = try network.batch()
    let problems = Mutex<[String]>([])
    let context = try await updated(package, batch, events: .epochEnd) { context in
      do { try context.model.write(to: package) } catch { problems.withLock { $0.append("\(error)") } }
    }
    #expect(problems.withLock { $0 } == [] && context.task.error == nil)
    #expect(try weights(MLModel(contentsOf: package)) == weights(context.model))
  }

  /// A task goes on from what it loaded, though the package has learnt something since.
  @Test func aTaskBeginsWithWhatItLoaded() async throws {
    let folder = try Workspace()
    let (package, _, network) = try await models(folder)
    let batch = try network.batch()
    let manifest = try JSONSerialization.jsonObject(with: Data(contentsOf: package.appending(path: "manifest.json")))
    let configuration = MLModelConfiguration()
    configuration.expectedPackageDigest = (manifest as? [String: Any])?["digest"] as? String
    let first = try await updated(package, batch)
    let second: MLUpdateContext = try await withCheckedThrowingContinuation { continuation in
      do {
        let task = try MLUpdateTask(forModelAt: package, trainingData: batch, configuration: configuration) {
          continuation.resume(returning: $0)
        }
        try first.model.write(to: package)
        task.resume()
      } catch { continuation.resume(throwing: error) }
    }
    #expect(second.task.error == nil)
    #expect(try weights(second.model) == weights(first.model))
  }

  private func weights(_ model: MLModel) throws -> [Float] {
    let value = try model.parameterValue(for: MLParameterKey.weights.scoped(to: "a"))
    return MLShapedArray<Float>(try #require(value as? MLMultiArray)).scalars
  }
}
