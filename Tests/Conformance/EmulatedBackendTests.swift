import Foundation
import GraphFuzzing
import MLCCompiler
import MLCCore
import MLCKernels
import Synchronization
import TestSupport
import Testing

/// ONNX' own backend tests that the interpreter passes, as code for other architectures, run under qemu, beside the
/// answers.
@Suite(.serialized) struct EmulatedBackendTests {
  private static let isWanted = ProcessInfo.processInfo.environment["MLC_EMULATE"] == "backend"
  private static let devices = DeviceSet.catalog.filter { $0.architecture == "aarch64" }

  @Test(
    .enabled(if: isWanted, "needs qemu and takes minutes: run 'make arm-backend'"),
    arguments: devices.map { $0.name }
  )
  func generatedCode(_ name: String) throws {
    try Corpus.require(Corpus.cases)
    let device = try DeviceSet([name]).devices[0]
    let items = try ONNXBackendTests.expectedPasses().filter { CompiledBackendExceptions.cases[$0] == nil }.map(
      Item.init
    )
    let judge = GraphJudge(try HostRunner(seconds: 600))
    let campaign = Campaign(judge, devices: [device])
    let found = Mutex((agree: 0, refused: 0, problems: [String]()))
    let parts = stride(from: 0, to: items.count, by: 20).map { Array(items[$0..<min($0 + 20, items.count)]) }
    DispatchQueue.concurrentPerform(iterations: parts.count) { part in
      let entries = campaign.play(parts[part].map { $0.graph }, on: device)
      for (item, entry) in zip(parts[part], entries) {
        let problem = item.problem(entry, judge, device)
        found.withLock { found in
          if case .refused = entry.outcome { found.refused += 1 } else if problem == nil { found.agree += 1 }
          found.problems += problem.map { ["\(item.test.name): \($0)"] } ?? []
        }
      }
    }
    let (agree, refused, problems) = found.withLock { $0 }
    print("\(name): \(agree) of \(items.count) agree, \(refused) are refused, \(problems.count) do not agree")
    #expect(problems.isEmpty, "\(problems.count) on \(name):\n\(problems.joined(separator: "\n"))")
    #expect(agree >= 1950)
  }

  private struct Item {
    var test: BackendCase
    var graph: GraphCase
    var expected: [Tensor]

    init(_ name: String) throws {
      test = BackendCase(name: name)
      let (function, inputs) = try test.imported()
      graph = GraphCase(name, function, [inputs])
      expected = try test.expected(function)
    }

    /// What is wrong by the tolerance of ONNX' tests, which is wider than that of the judge.
    func problem(_ entry: Entry, _ judge: GraphJudge, _ device: DeviceDescription) -> String? {
      switch entry.outcome {
      case .agrees, .refused: nil
      case .wrong(.numbers): judge.outputs(graph, on: device).map { test.mismatch($0, expected) } ?? entry.report
      case .wrong, .meaningless: "\(entry.outcome) \(entry.report)"
      }
    }
  }
}
