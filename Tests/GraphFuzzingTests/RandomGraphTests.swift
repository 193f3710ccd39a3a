import Foundation
import GraphFuzzing
import MLCCompiler
import Testing

@Suite(.serialized) struct RandomGraphTests {
  /// Graphs of a fixed seed as sanitized code, each on one of the devices that this CPU can be. More of them on all devices:
  /// `make fuzz-graphs`.
  @Test func agreeWithTheInterpreter() throws {
    let campaign = Campaign(GraphJudge(try SanitizedRunner()))
    let entries = SharedReport()
    DispatchQueue.concurrentPerform(iterations: 180) { number in
      let device = campaign.devices[number % campaign.devices.count]
      entries.add(campaign.play(RandomGraph.draw(seed: 10, number: number), on: device, shrinks: 10))
    }
    let report = entries.report
    #expect(report.wrong.isEmpty, "\(report.summary)\n\(report.wrong.map { $0.report }.joined(separator: "\n"))")
    #expect(report.count(.agrees) > 140, "\(report.summary)")
  }

  @Test func aSeedDrawsTheSameGraph() {
    for number in 0..<50 {
      let (one, other) = (RandomGraph.draw(seed: 3, number: number), RandomGraph.draw(seed: 3, number: number))
      #expect(one.text == other.text && one.runs == other.runs)
    }
  }
}
