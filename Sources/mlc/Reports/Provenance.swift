import Foundation
import MLCCompiler
import MLCCore
import MLCKernels
import MLCRuntime

/// Where findings come from: what made them, when, on which machine, and from what.
struct Provenance: Sendable {
  /// What a model was played on: numbers drawn from a seed, or files by their names.
  enum Data: Sendable {
    case seed(UInt64)
    case files(inputs: String, expected: String?)
  }

  let model: String
  let data: Data
  let version = MLC.version
  /// UTC, as ISO 8601 has it: `2026-01-31T23:59:59Z`. The moment in SOURCE_DATE_EPOCH where that is set, see
  /// https://reproducible-builds.org/specs/source-date-epoch; otherwise now.
  let date: String
  let architecture = CPU.architecture
  let host = DeviceSet.host?.name

  init(model: String, data: Data, environment: [String: String] = ProcessInfo.processInfo.environment) {
    (self.model, self.data) = (model, data)
    let epoch = environment["SOURCE_DATE_EPOCH"].flatMap { Int64($0) }.map { Date(timeIntervalSince1970: Double($0)) }
    date = (epoch ?? Date()).formatted(.iso8601)
  }

  /// The last component of the model's path.
  var name: String { model.split(separator: "/").last.map { String($0) } ?? model }
  var maker: String { "mlc \(version), \(date)" }
  var machine: String { host.map { "\(architecture), host target \($0)" } ?? architecture }

  var json: [String: JSON] {
    var members: [String: JSON] = [
      "model": .string(model), "mlc": .string(version), "date": .string(date),
      "machine": .object(["architecture": .string(architecture), "host": host.map { .string($0) } ?? .null]),
      "seed": .null, "inputs": .null, "expected": .null,
    ]
    switch data {
    case .seed(let seed): members["seed"] = Int(exactly: seed).map { .integer($0) } ?? .string("\(seed)")
    case .files(let inputs, let expected):
      members["inputs"] = .string(inputs)
      members["expected"] = expected.map { .string($0) } ?? .null
    }
    return members
  }
}

extension Provenance.Data: CustomStringConvertible {
  var description: String {
    switch self {
    case .seed(let seed): "random numbers, seed \(seed)"
    case .files(let inputs, let expected): expected.map { "\(inputs), expected \($0)" } ?? inputs
    }
  }
}
