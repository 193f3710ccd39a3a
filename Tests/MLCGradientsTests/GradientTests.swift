import MLCCore
import MLCGradients
import MLCGraph
import MLCOps
import TestSupport
import Testing

/// Gradients beside slopes of the reference, on drawn shapes, attributes and numbers.
@Suite struct GradientTests {
  static let draws = 16

  private func forEachDraw(_ body: (GradientCase, DrawnOperation, inout Draw) throws -> String?) -> [String] {
    var problems: [String] = []
    for gradientCase in GradientCase.all {
      for seed in 0..<Self.draws {
        var draw = Draw(seed: UInt64(seed))
        let drawn = gradientCase.make(&draw)
        do {
          guard let problem = try body(gradientCase, drawn, &draw) else { continue }
          problems.append("\(gradientCase.name) \(seed): \(problem); \(describe(drawn))")
        } catch { problems.append("\(gradientCase.name) \(seed): \(error); \(describe(drawn))") }
      }
    }
    return problems
  }

  private func describe(_ drawn: DrawnOperation) -> String {
    let attributes = drawn.op.attributes.map { "\($0.name): \($0.value)" }
    return "\(attributes) of \(drawn.operands.map { $0.map { "\($0.type)" } })"
  }

  @Test func equalSlopes() {
    let problems = forEachDraw { _, drawn, draw in try GradientCheck(drawn, &draw).disagreement(&draw) }
    #expect(problems.isEmpty, "\(problems.count):\n\(problems.joined(separator: "\n"))")
  }

  /// What is not asked for changes nothing.
  @Test func eachOperandAlone() {
    let problems = forEachDraw { _, drawn, draw in
      let check = try GradientCheck(drawn, &draw)
      let all = try Interpreter(check.gradient()).run(drawn.variables)
      for place in drawn.variables.indices {
        let alone = try Interpreter(check.gradient([place])).run(drawn.variables)
        if alone[1] != all[place + 1] { return "by \(place) alone it differs" }
      }
      return nil
    }
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  /// In float16 gradients are those of the same numbers in float64, but for what each operation rounds.
  @Test func halves() {
    let problems = forEachDraw { _, drawn, draw in
      var other = draw
      let halves = drawn.converted(to: .float16)
      let exact = try Interpreter(GradientCheck(halves.converted(to: .float64), &draw).gradient()).run(
        halves.converted(to: .float64).variables
      )
      let rounded = try Interpreter(GradientCheck(halves, &other).gradient()).run(halves.variables)
      for (place, pair) in zip(rounded, exact).enumerated() where place > 0 {
        guard pair.0.dtype == .float16 else { return "gradient \(place - 1) is \(pair.0.type)" }
        let largest = pair.1.doubles.reduce(1) { max($0, abs($1)) }
        if let problem = disagreement(pair.0.converted(to: .float64), pair.1, rtol: 0.02, atol: 0.02 * largest) {
          return "gradient \(place - 1) \(problem)"
        }
      }
      return nil
    }
    #expect(problems.isEmpty, "\(problems.count):\n\(problems.joined(separator: "\n"))")
  }

  /// Operators some of whose gradients need sizes that are known.
  private static let closed: Set<String> = [
    "avg_pool", "conv", "conv_transpose", "gru", "lstm", "pad", "resize", "rnn",
    "scaled_dot_product_attention", "slice_by_index",
  ]

  /// Open sizes give what known ones give, or are refused.
  @Test func openSizes() {
    var refused: Set<String> = []
    let problems = forEachDraw { gradientCase, drawn, draw in
      var other = draw
      let expected = try Interpreter(GradientCheck(drawn, &draw).gradient()).run(drawn.variables)
      guard let open = try? GradientCheck(drawn, &other, open: true) else { return nil }
      do throws(Diagnostic) {
        let found = try Interpreter(open.gradient()).run(drawn.variables)
        let reason = zip(found, expected).lazy.compactMap { disagreement($0, $1, rtol: 1e-12, atol: 1e-12) }.first
        return reason
      } catch {
        guard error.id == "gradient.unsupported" else { return "\(error)" }
        refused.insert(gradientCase.operatorName)
        return nil
      }
    }
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    #expect(refused == Self.closed, "\(refused.sorted())")
  }

  /// Each operator is differentiable, has no gradient, or has one that is not said: one of the three.
  @Test func everyOperatorStandsInOnePlace() {
    let zero = WithoutGradient.zero.map { $0.op.name }
    let missing = WithoutGradient.missing.map { $0.op.name }
    let said = OperatorSet.standard.filter { $0 is any Differentiable.Type || $0 is any Composite.Type }.map { $0.name }
    #expect((zero + missing + said).sorted() == OperatorSet.standard.map { $0.name }.sorted())
    #expect(WithoutGradient.zero.allSatisfy { !$0.reason.isEmpty })
    #expect(WithoutGradient.missing.allSatisfy { !$0.reason.isEmpty })
  }

  @Test func everyGradientHasCases() {
    let said = OperatorSet.standard.filter { $0 is any Differentiable.Type || $0 is any Composite.Type }
    #expect(Set(said.map { $0.name }).symmetricDifference(GradientCase.all.map { $0.operatorName }) == [])
  }
}
