import Foundation
import Testing

/// Weights stay in the file they came in: what `mlc` allocates on a model of 400 MB. Measured in release only, where
/// buffers are what they are in use.
@Suite(.serialized) struct MemoryTests {
  private static let zoo = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: ".cache/zoo")
  private static let model = zoo.appending(path: "bert_base_qa_128.onnx")
  private static let weights = zoo.appending(path: "bert_base_qa_128.weights")

  private static var canMeasure: Bool {
    #if DEBUG || !os(Linux)
      return false
    #else
      return true
    #endif
  }

  @Test(.enabled(if: canMeasure, "needs a release build on Linux"))
  func convertTakesHalfTheModel() throws {
    let work = try Workspace()
    try expectPeak(of: ["convert", Self.model.path(), "-o", work.path("bert.mlpackage")], atMost: 0.5)
  }

  @Test(.enabled(if: canMeasure, "needs a release build on Linux"))
  func compileTakesTheModelAndAThird() throws {
    let work = try Workspace()
    try expectPeak(of: ["compile", Self.model.path(), "-o", work.path("bert.mlmodelc")], atMost: 1.3)
  }

  private func expectPeak(of arguments: [String], atMost share: Double) throws {
    let isThere = FileManager.default.fileExists(atPath: Self.weights.path())
    try #require(isThere, "\(Self.weights.path()) is absent: run 'make corpora'")
    let size = try [Self.model, Self.weights].reduce(0) { sum, file in
      sum + (try FileManager.default.attributesOfItem(atPath: file.path())[.size] as? Int ?? 0)
    }
    try #require(size > 400_000_000)
    let (status, peak) = try run(arguments)
    #expect(status == 0 && peak > 0)
    let actual = Double(peak) / Double(size)
    #expect(actual <= share, "\(arguments[0]) takes \(actual) × the model")
    print("mlc \(arguments[0]): peak anonymous memory \(peak >> 20) MiB, \(actual) × the model")
  }

  /// How the command ends, and the most anonymous memory that it was seen to have, in bytes.
  private func run(_ arguments: [String]) throws -> (status: Int32, peak: Int) {
    let process = Process()
    process.executableURL = MLCProcess.executable
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    var peak = 0
    while process.isRunning {
      peak = max(peak, ProcessMemory.anonymousBytes(of: process.processIdentifier))
      usleep(2000)
    }
    return (process.terminationStatus, peak)
  }
}

enum ProcessMemory {
  /// `RssAnon` of a process: resident pages that no file backs. 0 once it has ended.
  static func anonymousBytes(of process: Int32) -> Int {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") }),
      let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({ Int($0) })
    else { return 0 }
    return kilobytes * 1024
  }
}
