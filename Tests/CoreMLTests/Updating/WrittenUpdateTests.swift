import CoreML
import Foundation
import TestSupport
import Testing

/// Applications that write what they have learnt, seen from outside.
@Suite struct WrittenUpdateTests {
  /// The package that an application has written after so many times.
  private func written(_ compiled: URL, _ target: URL, times: Int, threads: Int? = nil) throws -> [String: Data] {
    let environment = threads.map { ["MLC_THREADS": "\($0)"] } ?? [:]
    let process = try UpdatingProcess(compiled, to: target, times: times, environment: environment)
    #expect(process.waitUntilItWrites())
    let end = process.end()
    try #require(end == (.exit, 0))
    return try #require(fileTree(target.path()))
  }

  @Test(arguments: [
    ("updatable.zip", "large"), ("updatable.zip", "picture_labels"), ("updatable.zip", "pipeline_numbers"),
    ("neighbors.zip", "pipeline_classifier_network"),
  ]) func anyNumberOfThreadsLearnsTheSameBits(archive: String, name: String) async throws {
    let compiled = try await ModelArchive(archive).compiled(name)
    let folder = try Workspace()
    let packages = try (1...3).map { (threads: Int) in
      try written(compiled, folder.url.appending(path: "\(threads).mlmodelc"), times: 2, threads: threads)
    }
    #expect(packages[0] == packages[1] && packages[0] == packages[2])
    #expect(packages[0] != fileTree(compiled.path()))
  }

  /// After each kill the one model or the other is there, whole; what else is there has a temporary name, and is gone
  /// after the next time that a model is written.
  @Test(arguments: [
    ("updatable.zip", "classes_sgd"), ("updatable.zip", "pipeline_labels"),
    ("neighbors.zip", "texts_inverse_distance_linear_25"),
  ]) func killsLeaveWholeModels(archive: String, name: String) async throws {
    let compiled = try await ModelArchive(archive).compiled(name)
    let folder = try Workspace()
    let target = folder.url.appending(path: "out.mlmodelc")
    let (first, second) = (try written(compiled, target, times: 1), try written(compiled, target, times: 2))
    #expect(first != second)
    var leftovers = 0
    for _ in 0..<25 {
      let process = try UpdatingProcess(compiled, to: target, times: .max)
      try #require(process.waitUntilItWrites())
      usleep(.random(in: 0...30_000))
      process.kill()
      let end = process.end()
      #expect(end == (.uncaughtSignal, SIGKILL))
      let found = fileTree(target.path())
      #expect(found == first || found == second, "the model is damaged")
      #expect(try MLModel(contentsOf: target).modelDescription.isUpdatable)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path())
      let others = names.filter { $0 != "out.mlmodelc" }
      #expect(others.allSatisfy { $0.hasPrefix(".mlc-") }, "\(others)")
      leftovers += others.isEmpty ? 0 : 1
    }
    #expect(leftovers > 0, "no kill met a package that was being written")
    #expect(try written(compiled, target, times: 2) == second)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path()) == ["out.mlmodelc"])
  }
}
