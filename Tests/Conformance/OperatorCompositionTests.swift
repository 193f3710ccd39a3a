import Foundation
import MLCCompiler
import MLCCore
import Testing

/// Random graphs composed of ONNX' operators, with open sizes, bodies, sequences and functions: `make corpora` draws
/// them and records what ONNX Runtime answers. `MLC_COMPOSITIONS` names a folder of others.
@Suite(.serialized) struct OperatorCompositionTests {
  private static let root =
    ProcessInfo.processInfo.environment["MLC_COMPOSITIONS"] ?? Corpus.folder + "/compositions"

  private static func cases() throws -> [BackendCase] {
    try Corpus.require(root)
    return Corpus.names(root).filter { $0.hasPrefix("composition_") }.map { BackendCase(name: $0, root: root) }
  }

  /// On the interpreter, where every shape is what inference promised.
  @Test func interpreter() throws {
    let cases = try Self.cases()
    var (passed, problems) = (0, [String]())
    for item in cases {
      switch item.play() {
      case .passed: passed += 1
      case .failed(let why): problems.append("\(item.name): \(why)")
      case .unsupported(let why):
        if !Self.refusals.contains(where: { why.hasPrefix($0 + ":") }) { problems.append("\(item.name): \(why)") }
      }
    }
    #expect(problems.isEmpty, "\(problems.count):\n\(problems.joined(separator: "\n"))")
    #expect(Double(passed) >= 0.97 * Double(cases.count) && passed >= 280, "\(passed) of \(cases.count)")
  }

  @Test func generatedCode() throws {
    let cases = try Self.cases()
    let device = try DeviceSet(["host"]).devices[0]
    let (problems, excused, played) = try CompiledBackendTests.play(cases, on: device)
    let unexplained = problems.filter { problem in
      !Self.refusals.contains { problem.contains("[\($0)]") }
    }
    #expect(unexplained.isEmpty, "\(unexplained.count):\n\(unexplained.joined(separator: "\n"))")
    #expect(Double(played) >= 0.95 * Double(cases.count), "\(played) of \(cases.count); \(excused.sorted())")
  }

  /// Refusals by name, of what the manual lists as limits.
  private static let refusals = ["cond.rank", "onnx.scan", "onnx.loop", "onnx.squeeze-rank"]
}
