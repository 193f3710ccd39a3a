import GraphFuzzing
import MLCCore
import MLCGraph
import MLCKernels
import TestSupport
import Testing

/// Random graphs whose operations are on the host and on a simulated device by chance.
@Suite struct PlacedGraphTests {
  @Test func bitsAreThoseOfOneMemory() throws {
    var (batch, held, number) = (FunctionBatch(), 0, 0)
    var problems: [String] = []
    while held < 60 {
      defer { number += 1 }
      let item = RandomGraph.draw(seed: 500, number: number)
      guard let run = item.runs.first(where: { hasMeaning(item, $0) }) else { continue }
      var alone = batch
      try alone.append(item.function, [run])
      (batch, held) = (alone, held + 1)
      if held % 20 > 0 { continue }
      let function = batch.function()
      for placement in [Placement.drawn(UInt64(number), runs: 2), .device] {
        do throws(Diagnostic) {
          let placed = try PlacedRun(function, placement)
          _ = try placed.outputs(batch.runs)
          #expect(placed.log.runs > 0)
        } catch { problems.append("graphs before \(number): \(error)") }
      }
      batch = FunctionBatch()
    }
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  private func hasMeaning(_ item: GraphCase, _ run: [Tensor]) -> Bool {
    (try? Interpreter(item.function).run(run)) != nil
  }
}
