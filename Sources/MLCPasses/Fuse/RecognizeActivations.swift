import MLCCore
import MLCGraph
import MLCOps

/// `gelu` in its three modes, `silu` and `hard_swish` written out with elementary operations become one operation.
///
/// x/2 · (1 + erf(x/√2)); x/2 · (1 + tanh(√(2/π) · (x + 0.044715 x³))); x · sigmoid(1.702 x); x · sigmoid(x); x ·
/// clip(x + 3, 0, 6) / 6 and x · sigmoid_hard(x) with slope 1/6 and offset ½. Factors may come in any order and
/// grouping.
package struct RecognizeActivations: Rewrite {
  package static let phase = Phase.fuse
  package static let tolerance = 1e-5
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard operation.op is Mul || operation.op is RealDiv else { return nil }
    let chain = ProductChain(operation.outputs[0], graph)
    guard chain.factors.count == 2 else { return nil }
    for x in chain.factors {
      guard let gate = chain.other(than: x), graph.type(x) == graph.type(operation.outputs[0]),
        graph.type(x).dtype.isFloat, let op = activation(x, gate, chain, graph)
      else { continue }
      return graph.patch(try graph.emit(op, x))
    }
    return nil
  }

  private func activation(_ x: ValueID, _ gate: ValueID, _ chain: ProductChain, _ graph: GraphEditor) -> (any Operator)?
  {
    if chain.isScale(1), let argument = graph.argument(of: gate, through: Sigmoid.self) {
      if argument == x { return Silu() }
      return ProductChain(argument, graph).isMultiple(of: x, by: 1.702) ? Gelu(mode: "SIGMOID_APPROXIMATION") : nil
    }
    if chain.isScale(1), HardGate(gate, graph)?.matches(x, slope: 1.0 / 6, offset: 0.5) == true { return HardSwish() }
    if chain.isScale(1.0 / 6), HardGate.isShiftedSix(gate, x, graph) { return HardSwish() }
    guard chain.isScale(0.5), let (function, one) = graph.sum(gate), one == 1 else { return nil }
    if let argument = graph.argument(of: function, through: Erf.self) {
      return ProductChain(argument, graph).isMultiple(of: x, by: 0.5.squareRoot()) ? Gelu(mode: "EXACT") : nil
    }
    guard let argument = graph.argument(of: function, through: Tanh.self), isCubic(argument, x, graph) else {
      return nil
    }
    return Gelu(mode: "TANH_APPROXIMATION")
  }

  /// Whether `value` is √(2/π) · (x + 0.044715 x³).
  private func isCubic(_ value: ValueID, _ x: ValueID, _ graph: GraphEditor) -> Bool {
    let chain = ProductChain(value, graph)
    guard chain.isScale((2 / Double.pi).squareRoot()) else { return false }
    if chain.factors.count == 1, let (sum, _) = graph.producer(chain.factors[0], as: Add.self),
      let (a, b) = graph.pair(sum)
    {
      guard a == x || b == x else { return false }
      let cube = ProductChain(a == x ? b : a, graph)
      return cube.factors == [x, x, x] && cube.isScale(0.044715)
    }
    guard let rest = chain.other(than: x), let (square, one) = graph.sum(rest), one == 1 else { return false }
    let product = ProductChain(square, graph)
    return product.factors == [x, x] && product.isScale(0.044715)
  }
}

/// `min(max(slope · x + offset, 0), 1)`.
struct HardGate {
  let argument: ValueID, slope: Double, offset: Double
  private let slack: Double

  /// `value` as a hard sigmoid: the operator itself, or `clip(x + 3, 0, 6)` over 6.
  init?(_ value: ValueID, _ graph: GraphEditor) {
    slack = graph.type(value).dtype.constantSlack
    if let (operation, op) = graph.producer(value, as: SigmoidHard.self) {
      (argument, slope, offset) = (operation.inputs[0][0], op.alpha, op.beta)
      return
    }
    let chain = ProductChain(value, graph)
    guard chain.factors.count == 1, chain.isScale(1.0 / 6), let inner = HardGate.clipped(chain.factors[0], graph),
      let (x, three) = graph.sum(inner), three == 3
    else { return nil }
    (argument, slope, offset) = (x, 1.0 / 6, 0.5)
  }

  func matches(_ x: ValueID, slope: Double, offset: Double) -> Bool {
    argument == x && abs(self.slope - slope) <= slack * slope && abs(self.offset - offset) <= slack * offset
  }

  /// Whether `value` is `clip(x + 3, 0, 6)`.
  static func isShiftedSix(_ value: ValueID, _ x: ValueID, _ graph: GraphEditor) -> Bool {
    guard let inner = clipped(value, graph), let (argument, three) = graph.sum(inner) else { return false }
    return argument == x && three == 3
  }

  /// The argument of a clip to 0…6.
  private static func clipped(_ value: ValueID, _ graph: GraphEditor) -> ValueID? {
    guard let operation = graph.producer(value) else { return nil }
    if operation.op is Relu6 { return operation.inputs[0].first }
    guard let op = operation.op as? Clip, op.alpha == 0, op.beta == 6 else { return nil }
    return operation.inputs[0].first
  }
}

/// `clip(x + 3, 0, 6) / 6` becomes `sigmoid_hard` of slope 1/6.
package struct RecognizeHardSigmoid: Rewrite {
  package static let phase = Phase.fuse
  package static let tolerance = 1e-6
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard operation.op is Mul || operation.op is RealDiv, let gate = HardGate(operation.outputs[0], graph),
      graph.type(gate.argument) == graph.type(operation.outputs[0])
    else { return nil }
    return graph.patch(try graph.emit(SigmoidHard(alpha: gate.slope, beta: gate.offset), gate.argument))
  }
}
