import MLCCore
import MLCGraph
import MLCOps
import Testing

@Suite struct KernelToleranceTests {
  @Test func rowsNameWhatThereIs() throws {
    #expect(Set(KernelTolerance.groups.keys) == (try OperatorGroups()).names)
    let listed = KernelTolerance.operators.flatMap { $0.1 }
    #expect(Set(listed).count == listed.count)
    #expect(listed.filter { OperatorSet.named($0) == nil } == [])
  }

  @Test func exactResultsMayNotMove() {
    let (one, next) = (Tensor([1], floats: [1]), Tensor([1], floats: [Float(1).nextUp]))
    #expect(problem(Add.self, next, one) != nil && problem(Add.self, one, one) == nil)
    #expect(problem(Exp.self, next, one) == nil)
    #expect(problem(Exp.self, Tensor([1], floats: [1 + 5 * Float.ulpOfOne]), one) != nil)
  }

  @Test func doublesAgreeInTwelveDigits() {
    let one = Tensor(.float64, [1], [1.0])
    #expect(problem(Exp.self, Tensor(.float64, [1], [1 + 0.9e-12]), one) == nil)
    #expect(problem(Exp.self, Tensor(.float64, [1], [1 + 1.1e-12]), one) != nil)
  }

  @Test func whatIsNotFiniteStays() {
    let (nan, infinite) = (Tensor([1], floats: [.nan]), Tensor([1], floats: [.infinity]))
    #expect(problem(MatMul.self, nan, nan) == nil && problem(MatMul.self, infinite, infinite) == nil)
    #expect(problem(MatMul.self, nan, infinite) != nil && problem(MatMul.self, Tensor([1], floats: [0]), nan) != nil)
    #expect(problem(MatMul.self, Tensor([1], floats: [-.infinity]), infinite) != nil)
  }

  @Test func sumsMayMoveWithTheirTerms() {
    let (zero, small) = (Tensor([1], floats: [0]), Tensor([1], floats: [1e-4]))
    #expect(problem(MatMul.self, small, zero, terms: Tensor([1], floats: [1000])) == nil)
    #expect(problem(MatMul.self, small, zero, terms: Tensor([1], floats: [1])) != nil)
  }

  private func problem(_ op: any Operator.Type, _ result: Tensor, _ expected: Tensor, terms: Tensor? = nil) -> String? {
    KernelTolerance.of(op).disagreement(result, expected, terms: terms, operands: 0)
  }
}
