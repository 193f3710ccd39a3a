import MLCCore
import MLCGraph
import MLCPasses
import Testing

/// Every pass on functions in which it finds something, and on near misses.
@Suite struct PassCaseTests {
  @Test func labelsAreUnique() {
    var seen: Set<String> = []
    #expect(PassCase.all.map { $0.label }.filter { !seen.insert($0).inserted } == [])
  }

  /// Those of a compilation, and each has a case that it changes.
  @Test func everyPassHasCases() {
    let missing = PassPipeline.names.filter { name in !PassCase.all.contains { $0.tries(name) && $0.after != nil } }
    #expect(missing == [])
  }

  @Test func textsAreAsExpected() throws {
    for item in PassCase.all {
      let text = PassCase.text(try item.rewritten().function)
      let expected = try item.after ?? item.untouched()
      #expect(text == expected, "\(item.label)")
    }
  }

  /// What nobody changes is said so: a text after that is the one before hides it.
  @Test func whatIsNamedAChangeIsOne() throws {
    let same = try PassCase.all.filter { try $0.after == $0.untouched() }
    #expect(same.map { $0.label }.filter { !$0.hasPrefix("eliminate-dead-code.") } == [])
  }

  @Test func outputsKeepTheirNames() throws {
    for item in PassCase.all {
      #expect(try item.rewritten().function.outputNames == item.function().outputNames, "\(item.label)")
    }
  }

  /// Ordinary numbers, within the tolerance that the pass declares.
  @Test func resultsStayWithinTheTolerance() throws {
    for item in PassCase.all {
      for seed in UInt64(1)...4 {
        var draw = InputDraw(seed: seed)
        try expectNoMovement(item, draw.inputs(of: try item.function(), sizes: item.sizes))
      }
    }
  }

  /// A pass that declares 0 keeps the bits of whatever comes.
  @Test func exactPassesKeepEveryBit() throws {
    var count = 0
    for item in PassCase.all where try item.rewritten().tolerance == 0 {
      count += 1
      for seed in UInt64(1)...8 {
        var draw = InputDraw(seed: seed, isHostile: true)
        try expectNoMovement(item, draw.inputs(of: try item.function(), sizes: item.sizes))
      }
    }
    #expect(count > 30)
  }

  private func expectNoMovement(_ item: PassCase, _ inputs: [Tensor]) throws {
    let (after, tolerance) = try item.rewritten()
    let (old, new) = (try Interpreter(item.function()).run(inputs), try Interpreter(after).run(inputs))
    let problem = movement(old, new, tolerance: tolerance)
    #expect(problem == nil, "\(item.label): \(problem ?? "")")
  }
}
