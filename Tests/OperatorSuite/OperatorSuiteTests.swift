import MLCCore
import MLCGraph
import MLCOps
import TestSupport
import Testing

@Suite struct OperatorSuiteTests {
  @Test func labelsAreUnique() {
    var seen: Set<String> = []
    let twice = OperatorCase.all.map { $0.label }.filter { !seen.insert($0).inserted }
    #expect(twice.isEmpty)
  }

  @Test func casesNameTheirOperator() {
    let wrong = OperatorCase.all.filter { !$0.label.hasPrefix(type(of: $0.op).name + ".") }.map { $0.label }
    #expect(wrong.isEmpty, "labels are OPERATOR.what")
  }

  /// Values and types on the interpreter, shapes known.
  @Test func interpreter() { report(failures(symbolic: false)) }

  /// The same with every run-time extent a symbol: inference has to hold for the shape that comes.
  @Test func interpreterWithSymbolicShapes() { report(failures(symbolic: true)) }

  private func report(_ failures: [String]) {
    #expect(failures.isEmpty, "\(failures.count) failures:\n\(failures.joined(separator: "\n"))")
  }

  private func failures(symbolic: Bool) -> [String] {
    OperatorCase.all.compactMap { item in
      if symbolic, SymbolicExceptions.reason(item) != nil { return nil }
      do throws(Diagnostic) {
        return try failure(item, symbolic: symbolic).map { "\(item.label): \($0)" }
      } catch {
        return "\(item.label): \(error)"
      }
    }
  }

  private func failure(_ item: OperatorCase, symbolic: Bool) throws(Diagnostic) -> String? {
    let made = try CaseFunction(item, symbolic: symbolic)
    try made.function.verify()
    let results = try Interpreter(made.function).run(made.arguments)
    guard results.count == item.expected.count, results.count == made.function.outputs.count else {
      return "\(results.count) outputs, \(made.function.outputs.count) inferred, \(item.expected.count) expected"
    }
    for (index, result) in results.enumerated() {
      let fact = made.function.fact(made.function.outputs[index])
      if let problem = brokenPromise(fact, result, made.sizes) { return "output \(index): \(problem)" }
      guard let expected = item.expected[index] else { continue }
      if let problem = disagreement(result, expected, rtol: item.rtol, atol: item.atol) {
        return "output \(index) \(problem)"
      }
    }
    return nil
  }
}
