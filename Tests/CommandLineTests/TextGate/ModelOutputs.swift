import Foundation
import Testing

/// What mlc says and writes of one model, by every command that takes it.
struct ModelOutputs {
  private(set) var runs: [(command: String, run: MLCProcess)] = []
  let work: Workspace
  let model: String

  init(of model: String, in work: Workspace) throws {
    (self.model, self.work) = (model, work)
    let package = work.path("c.mlmodelc")
    try play("inspect", model)
    try play("inspect", model, "--json")
    try play("inspect", model, "--text")
    try play("inspect", model, "--svg")
    try play("inspect", model, "--svg", "--unfolded")
    try play("compile", model, "-o", package, "--target", "x86-64-v2", "--keep-sources", work.path("src"))
    try play("inspect", package)
    try play("inspect", package, "--json")
    try play("generate", model, "-o", work.url.path(), "--class-name", "FromModel")
    try play("generate", package, "-o", work.url.path(), "--class-name", "FromPackage")
    try play("build", model, "--package", work.path("b.mlmodelc"), "--code", work.path("Built.swift"))
    try play("convert", model, "-o", work.path("x.mlpackage"))
    try play("inspect", work.path("x.mlpackage"), "--text")
    try play("compress", model, "-o", work.path("y.mlpackage"), "--palettize", "4", "--min-elements", "2")
    try play("verify", model, package, "--report", work.path("report.html"))
    try play("verify", model, package, "--layers", "--report", work.path("layers.html"))
    try play("verify", model, package, "--layers", "--json")
    try writeInputs(to: work.path("in.json"))
    try play("predict", package, "--inputs", work.path("in.json"), "-o", work.path("out.json"))
    try play("predict", package, "--inputs", work.path("in.json"), "--json")
    try play("bench", package, "--ops", "--iterations", "1", "--warmup", "0")
    try play("bench", package, "--ops", "--iterations", "1", "--warmup", "0", "--json")
    try play("bench", package, "--iterations", "1", "--warmup", "0", "--report", work.path("bench.html"))
    try play("plan", package)
    try play("plan", package, "--json")
  }

  private mutating func play(_ arguments: String...) throws {
    let run = try MLCProcess(arguments: arguments)
    let command = arguments.map { URL(filePath: $0).lastPathComponent }.joined(separator: " ")
    #expect(run.status == 0, "\(command): \(run.errors.prefix(2000))")
    runs.append((command, run))
    if arguments.contains("--json") { #expect(throws: Never.self, "\(command)") { try run.json() } }
  }

  /// The name of the model's file.
  var name: String { URL(filePath: model).lastPathComponent }

  func run(_ command: String) throws -> MLCProcess {
    try #require(runs.first { $0.command == command }, "\(command)").run
  }
  func file(_ name: String) throws -> String { try String(contentsOf: work.url.appending(path: name), encoding: .utf8) }

  /// Names and shapes of the inputs, as `inspect --json` has them.
  func inputs() throws -> [(name: String, shape: [Int])] {
    let ports = try #require(try run("inspect \(name) --json").json()["inputs"] as? [[String: Any]])
    return try ports.map { port in
      (try #require(port["name"] as? String), try #require(port["shape"] as? [Any]).map { $0 as? Int ?? 2 })
    }
  }

  /// Zeros for every input.
  private func writeInputs(to path: String) throws {
    let zeros = try inputs().map { input in
      (input.name, input.shape.reversed().reduce(0 as Any) { inner, count in [Any](repeating: inner, count: count) })
    }
    let object = Dictionary(uniqueKeysWithValues: zeros)
    try JSONSerialization.data(withJSONObject: object).write(to: URL(filePath: path))
  }
}
