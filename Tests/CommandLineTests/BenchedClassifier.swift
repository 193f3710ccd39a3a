import Foundation
import Testing

/// The classifier of the fixtures, compiled, and what `bench` measures.
struct BenchedClassifier {
  static let source = MLCProcess.fixture("classifier.onnx")
  let work: Workspace
  let package: String

  init() throws {
    work = try Workspace()
    package = work.path("c.mlmodelc")
    let made = try MLCProcess("compile", Self.source, "-o", package, "--target", "x86-64-v2")
    try #require(made.status == 0, "\(made.errors)")
  }

  func bench(_ arguments: String...) throws -> [String: Any] {
    let run = try MLCProcess(arguments: ["bench"] + arguments + ["--json"])
    try #require(run.status == 0, "\(run.errors)")
    return try run.json()
  }
}
