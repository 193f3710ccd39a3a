import Foundation
import MLCCompiler
import Testing

/// The backend tests of early onnx packages, which have versions of operators that newer ones do not.
@Suite(.serialized) struct EarlyBackendTests {
  private static let versions = ["1.5.0", "1.7.0", "1.10.2"]
  private static let list = Corpus.testFolder.appendingPathComponent("expected_passes_early.txt")

  private static func root(_ version: String) -> String { "\(Corpus.cases)_\(version)" }

  /// Lines of `expected_passes_early.txt` are `1.5.0/node/test_abs`.
  private static func expectedPasses() throws -> [String] {
    try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// A result that is wrong fails, and so does a listed case that does not pass, and fewer than 99 of 100 that have no
  /// type which mlc does not take. With `MLC_RECORD_PASSES` set the list is written instead.
  @Test func interpreter() throws {
    var (passed, wrong, refused, foreign) = ([String](), [String](), [String](), 0)
    for version in Self.versions {
      try Corpus.require(Self.root(version))
      for item in BackendCase.all(in: Self.root(version)) {
        let name = "\(version)/\(item.name)"
        switch item.play() {
        case .passed: passed.append(name)
        case .unsupported(let why):
          if Self.foreign.contains(where: { why.contains($0) }) {
            foreign += 1
          } else {
            refused.append("\(name): \(why)")
          }
        case .failed(let why):
          let reason = Self.mistaken[name] ?? ConformanceExceptions.reasons[item.name]
          if reason == nil { wrong.append("\(name): \(why)") }
        }
      }
    }
    print("\(passed.count) passed, \(foreign) of foreign types, \(refused.count) refused")
    print(refused.joined(separator: "\n"))
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    if ProcessInfo.processInfo.environment["MLC_RECORD_PASSES"] != nil {
      try (passed.joined(separator: "\n") + "\n").write(to: Self.list, atomically: true, encoding: .utf8)
      return
    }
    #expect(Double(passed.count) >= 0.99 * Double(passed.count + refused.count), "\(refused)")
    let found = Set(passed)
    #expect(try Self.expectedPasses().filter { !found.contains($0) } == [], "cases that passed before")
  }

  /// What takes or gives sequences or optionals, or asks for gradients.
  private static let foreign = [
    "Sequence", "Optional", "onnx.input-type", "Gradient",
  ]

  /// Cases that a later package corrected, with what was wrong.
  private static let mistaken: [String: String] = [
    "1.7.0/node/test_momentum": exchanged, "1.7.0/node/test_momentum_multiple": exchanged,
    "1.7.0/node/test_nesterov_momentum": exchanged,
    "1.10.2/node/test_adam_multiple": "answers have another epsilon than the node",
  ]
  private static let exchanged = "answers have the rate and the count of steps exchanged"

  @Test func generatedCode() throws {
    let device = try DeviceSet(["host"]).devices[0]
    let cases = try Self.expectedPasses().map { line in
      let parts = line.split(separator: "/", maxSplits: 1)
      return BackendCase(name: String(parts[1]), root: Self.root(String(parts[0])))
    }
    let (problems, excused, played) = try CompiledBackendTests.play(cases, on: device)
    #expect(problems.isEmpty, "\(problems.count):\n\(problems.joined(separator: "\n"))")
    #expect(Double(played) >= 0.95 * Double(cases.count), "\(excused.sorted())")
  }
}
