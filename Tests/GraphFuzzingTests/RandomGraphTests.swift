import Foundation
import GraphFuzzing
import MLCCompiler
import Testing

@Suite(.serialized) struct RandomGraphTests {
  /// Graphs of a fixed seed as sanitized code, each on one of the devices that this CPU can be. More of them on all
  /// devices: `make fuzz-graphs`.
  @Test func agreeWithTheInterpreter() throws {
    let campaign = Campaign(GraphJudge(try HostRunner()))
    let entries = SharedReport()
    let (batches, size) = (24, 13)
    DispatchQueue.concurrentPerform(iterations: batches) { batch in
      let device = campaign.devices[batch % campaign.devices.count]
      let items = (0..<size).map { RandomGraph.draw(seed: 10, number: batch * size + $0) }
      for entry in campaign.play(items, on: device, shrinks: 10) { entries.add(entry) }
    }
    let report = entries.report
    #expect(report.wrong.isEmpty, "\(report.summary)\n\(report.wrong.map { $0.report }.joined(separator: "\n"))")
    #expect(report.count(.agrees) > 280, "\(report.summary)")
  }

  @Test func aSeedDrawsTheSameGraph() {
    for number in 0..<50 {
      let (one, other) = (RandomGraph.draw(seed: 3, number: number), RandomGraph.draw(seed: 3, number: number))
      #expect(one.text == other.text && one.runs == other.runs)
    }
  }
}
