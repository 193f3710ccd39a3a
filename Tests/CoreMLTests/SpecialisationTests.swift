import CoreML
import Foundation
import Testing

/// Packages that carry their program are compiled for the machine that loads them.
@Suite(.serialized) struct SpecialisationTests {
  /// The environment is the process's: these tests run one after the other, and no other test reads what they set.
  private let folder: Workspace
  private let package: URL

  init() throws {
    #expect(Sources.commandIsNamed)
    folder = try Workspace()
    setenv("MLC_CACHE", folder.url.appending(path: "cache").path(), 1)
    package = folder.url.appending(path: "portable.mlmodelc")
    let process = Process()
    process.executableURL = URL(filePath: Sources.command)
    process.arguments = [
      "compile", Sources.fixtures.appending(path: "cache.mlpackage").path(), "--portable", "--target", "x86-64-v2",
      "-o", package.path(),
    ]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  private func load() throws -> (model: MLModel, preparation: MLModelPreparation) {
    nonisolated(unsafe) var seen: MLModelPreparation?  // set before loading returns
    let configuration = MLModelConfiguration()
    configuration.preparationHandler = { seen = $0 }
    let model = try MLModel(contentsOf: package, configuration: configuration)
    return (model, try #require(seen))
  }

  private func count(_ model: MLModel) throws -> Int? {
    let input = try MLDictionaryFeatureProvider(dictionary: [
      "row": MLMultiArray(shape: [1, 4], dataType: .float16),
      "position": MLMultiArray(shape: [8, 1], dataType: .float16),
    ])
    return try model.prediction(from: input, using: model.makeState()).featureValue(for: "n")?.multiArrayValue?[0]
      .intValue
  }

  /// Whether this machine is more than the baseline.
  private static let isMore = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.contains("avx2") ?? false

  @Test(.enabled(if: isMore, "this processor is the baseline, for which nothing is made"))
  func preparesOnceAndCaches() throws {
    let (model, first) = try load()
    guard case .prepared(let device) = first else {
      Issue.record("\(first)")
      return
    }
    #expect(device != "x86-64-v2")
    #expect(try count(model) == 1)
    #expect(try load().preparation == .cached(device: device))
  }

  @Test(.enabled(if: isMore, "this processor is the baseline, for which nothing is made"))
  func makesADamagedEntryAgain() throws {
    guard case .prepared(let device) = try load().preparation else {
      Issue.record("was not prepared")
      return
    }
    let cache = folder.url.appending(path: "cache")
    let names = try FileManager.default.subpathsOfDirectory(atPath: cache.path())
    let code = try #require(names.first { $0.hasSuffix("kernels.so") })
    try Data("no code".utf8).write(to: cache.appending(path: code))
    #expect(try load().preparation == .prepared(device: device))
    let manifest = try #require(names.first { $0.hasSuffix("manifest.json") })
    try Data("{}".utf8).write(to: cache.appending(path: manifest))
    let (model, again) = try load()
    #expect(again == .prepared(device: device))
    #expect(try count(model) == 1)
  }

  @Test(.enabled(if: isMore, "this processor is the baseline, for which nothing is made"))
  func preparesOnceForAllWhoLoadAtTheSameTime() async throws {
    let url = package
    let seen = await withTaskGroup(of: MLModelPreparation?.self) { group in
      for _ in 0..<4 {
        group.addTask {
          await withCheckedContinuation { continuation in
            let configuration = MLModelConfiguration()
            configuration.preparationHandler = { continuation.resume(returning: $0) }
            do { _ = try MLModel(contentsOf: url, configuration: configuration) } catch {
              continuation.resume(returning: nil)
            }
          }
        }
      }
      return await group.reduce(into: [MLModelPreparation?]()) { $0.append($1) }
    }
    let prepared = seen.filter { if case .prepared? = $0 { true } else { false } }
    let cached = seen.filter { if case .cached? = $0 { true } else { false } }
    #expect(prepared.count == 1 && cached.count == 3)
  }

  @Test(.enabled(if: isMore, "this processor is the baseline, for which nothing is made"))
  func runsTheBaselineWithoutTheCommandAndSaysWhy() throws {
    setenv("MLC", "/nowhere/mlc", 1)
    defer { setenv("MLC", Sources.command, 1) }
    let (model, preparation) = try load()
    guard case .baseline("x86-64-v2", let reason) = preparation else {
      Issue.record("\(preparation)")
      return
    }
    #expect(reason.contains("/nowhere/mlc") && reason.contains("[runtime.no-compiler]"))
    #expect(try count(model) == 1)
  }
}
