import Foundation
import GraphFuzzing
import MLCCompiler
import MLCCore
import MLCKernels
import Synchronization
import TestSupport
import Testing

/// ONNX' own backend tests that the interpreter passes, as code for other architectures, run under qemu, beside what
/// the interpreter answers.
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
    let cases = try ONNXBackendTests.expectedPasses().map { name in
      let (function, inputs) = try BackendCase(name: name).imported()
      return GraphCase(name, function, [inputs])
    }
    let campaign = Campaign(GraphJudge(try HostRunner(seconds: 600)), devices: [device])
    let report = Mutex(CampaignReport())
    let parts = stride(from: 0, to: cases.count, by: 20).map { Array(cases[$0..<min($0 + 20, cases.count)]) }
    DispatchQueue.concurrentPerform(iterations: parts.count) { part in
      let entries = campaign.play(parts[part], on: device)
      report.withLock { report in for entry in entries { report.add(entry) } }
    }
    let (summary, wrong) = report.withLock { ($0.summary, $0.wrong.map { $0.report }) }
    print("\(name): \(summary)")
    #expect(wrong.isEmpty, "\(wrong.count) on \(name):\n\(wrong.joined(separator: "\n"))")
    #expect(report.withLock { $0.count(.agrees) } >= 1950, "\(summary)")
  }
}
