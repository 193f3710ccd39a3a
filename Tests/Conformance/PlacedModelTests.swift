import MLCCore
import MLCGraph
import TestSupport
import Testing

/// Published models and architecture graphs with shares of their operations on a simulated device, which has a memory
/// of its own and works beside the host: the bits are those of the same segments in one memory, one after the other.
/// Every third model: what operators do there the operator suite and random graphs play.
@Suite(.serialized) struct PlacedModelTests {
  @Test(arguments: Turns.cases(Array(RealModel.all.enumerated()), on: 0, of: 3).map { ($0.offset, $0.element) })
  func everyPartitionAgrees(number: Int, model: RealModel) throws {
    let function = try model.function()
    let length = max(2, function.body.operations.count / 12)
    let run = try PlacedRun(function, .drawn(UInt64(number) + 3, runs: length))
    let name = try #require(model.caseNames.first)
    let given = try model.tensors("\(name).inputs.npz")
    let results = try run.outputs([function.inputs.compactMap { given[function[$0].name] }])[0]
    let answers = try model.tensors("\(name).expected.npz")
    for (output, result) in zip(function.outputNames, results) {
      guard let answer = answers[output] else { continue }
      let problem = disagreement(result, answer, rtol: 1e-3, atol: 1e-4)
      #expect(problem == nil, "\(run.segments) segments, '\(output)': \(problem ?? "")")
    }
  }
}
