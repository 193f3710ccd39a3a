import MLCCore
import MLCGraph
import MLCPasses
import Testing

@Test func namesAreKebabCase() {
  #expect(FoldConstants.name == "fold-constants")
  #expect(EliminateCommonSubexpressions.name == "eliminate-common-subexpressions")
}

@Test func theReportCountsAndTheCallbackSees() throws {
  var graph = try function("%x: fp32[2]", "y", "%a = exp(x = %x)\n%b = identity(x = %x)\n%y = abs(x = %b)")
  let report = try PassPipeline([]).run(&graph)
  let removed = report.entries.first { $0.name == "remove-no-ops" }
  #expect(removed?.change == PassChange(removed: 1, added: 0))
  #expect(report.entries.first { $0.name == "eliminate-dead-code" }?.change.removed == 1)
}

/// A pass that breaks an invariant is found by the verifier, which names it.
@Test func brokenPassesAreNamed() throws {
  struct ForgetBody: Pass {
    static let phase = Phase.fuse
    func run(_ function: inout Function, under _: Budget) -> PassChange {
      function.body.operations = []
      return PassChange(removed: 1)
    }
  }
  var graph = try function("%x: fp32[2]", "y", "%y = exp(x = %x)")
  var options = PassOptions()
  options.verifies = true
  let error = #expect(throws: Diagnostic.self) { try PassPipeline([ForgetBody()]).run(&graph, options: options) }
  #expect(error?.id == "verify.undefined")
  #expect(error?.location.pass == "forget-body")
}
