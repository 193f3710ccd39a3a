import MLCCore
import MLCGraph
import MLCOps

/// `conv` of dequantised bytes by a quantised weight becomes `conv_integer`, whose sums are scaled.
///
/// conv((q − z) · s, w · t, b) is conv_integer(q, w, z) · (s · t) + b, where q are bytes, w int8, and t one number or
/// one for each output channel. Sums are exact where they were rounded. A cast of the sums to int32 and back is none.
package struct RecognizeIntegerConv: Rewrite {
  package static let phase = Phase.canonicalize
  package static let tolerance = 1e-5
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    if operation.op is Cast { return sums(operation, graph: &graph) }
    guard let op = operation.op as? Conv, let input = operation.inputs[0].first,
      let x = DequantizedOperand(input, graph), x.openZero == nil,
      let weight = operation.argument("weight").flatMap({ IntegerWeight($0, graph) }),
      isWorthwhile(op, weight.numbers.shape)
    else { return nil }
    let dtype = graph.type(input).dtype
    let bias = operation.argument("bias").map { graph.constant($0) }
    if case .some(nil) = bias { return nil }
    let zero = x.zeroPoint(&graph)
    let numbers = graph.emitConstant(weight.numbers, name: "weight")
    var y = try graph.emit(Cast(dtype), try graph.emit(ConvInteger(op), x.numbers, numbers, zero))
    let ones = [Int](repeating: 1, count: weight.numbers.rank - 2)
    let scales = weight.scales.map { $0 * x.scale }
    if scales != [1] {
      y = try graph.emit(Mul(), y, graph.emitConstant(Tensor(dtype, [scales.count] + ones, scales), name: "scale"))
    }
    if let bias = bias ?? nil {
      y = try graph.emit(Add(), y, graph.emitConstant(bias.reshaped([bias.count] + ones), name: "bias"))
    }
    return graph.patch(y)
  }

  /// Groups of few channels have no strategy that sums integers, but those of one that makes one.
  private func isWorthwhile(_ op: Conv, _ weight: [Int]) -> Bool {
    let isDepthwise = weight[1] == 1 && weight[0] == op.groups && op.dilations.last ?? 1 == 1
    return op.groups == 1 || isDepthwise || weight[1].isMultiple(of: 16) && (weight[0] / op.groups).isMultiple(of: 16)
  }

  /// The sums themselves for a cast of them to floats and back.
  private func sums(_ operation: Operation, graph: inout GraphEditor) -> Patch? {
    guard let wide = operation.inputs[0].first, let (inner, _) = graph.producer(wide, as: Cast.self),
      graph.type(wide).dtype.isFloat, let sums = inner.inputs[0].first,
      graph.producer(sums, as: ConvInteger.self) != nil, graph.type(sums) == graph.type(operation.outputs[0])
    else { return nil }
    return graph.patch(sums)
  }
}
