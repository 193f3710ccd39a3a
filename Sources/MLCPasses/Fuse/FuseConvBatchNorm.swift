import MLCCore
import MLCGraph
import MLCOps

/// `batch_norm`, and products, quotients, sums and differences with constants by channel, behind `conv`,
/// `conv_transpose` or `linear` with constant weights go into weights and bias.
///
/// ```
/// %c = conv(x, %w); %y = batch_norm(%c, mean, variance, gamma, beta)   →   %y = conv(x, %w′, %b′)
/// ```
/// with w′ = w · s, b′ = b · s + t by output channel. The convolution has no other reader.
package struct FuseConvBatchNorm: Rewrite {
  package static let phase = Phase.fuse
  package static let tolerance = 1e-4
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard operation.op is BatchNorm || operation.op is any ElementwiseBinary,
      let target = candidate(operation, graph),
      let (value, affine) = ChannelAffine.match(operation, axis: target.axis, count: target.count, graph),
      value == target.output, affine.isFinite
    else { return nil }
    let isScaled = affine.scale.contains { $0 != 1 }
    let weight =
      isScaled
      ? graph.emitConstant(target.weight.scaled { affine.scale[target.channel($0)] }, name: "weight")
      : target.weightID
    let old = target.bias?.doubles ?? [Double](repeating: 0, count: target.count)
    let bias = old.indices.map { old[$0] * affine.scale[$0] + affine.shift[$0] }
    let hasBias = target.bias != nil || affine.shift.contains { $0 != 0 }
    let biasID = hasBias ? graph.emitConstant(Tensor(target.weight.dtype, [target.count], bias), name: "bias") : nil
    let source = target.operation
    let result = try graph.emit(source.op, source.inputs[0][0], weight, biasID, origin: source.origin)
    return graph.patch(result)
  }

  /// The first argument that can take up the map.
  private func candidate(_ operation: Operation, _ graph: GraphEditor) -> Target? {
    for input in operation.inputs.prefix(2).joined() {
      if let target = target(input, graph) { return target }
    }
    return nil
  }

  /// An operation with constant weights of which `value` is the result, read once.
  private func target(_ value: ValueID, _ graph: GraphEditor) -> Target? {
    guard graph.uses(value) == 1, let operation = graph.producer(value), let weightID = operation.argument("weight"),
      let weight = graph.constant(weightID), weight.dtype.isFloat, weight.rank >= 2
    else { return nil }
    var bias: Tensor?
    if let id = operation.argument("bias") {
      bias = graph.constant(id)
      if bias == nil { return nil }
    }
    func made(_ axis: Int, _ count: Int, _ channel: @escaping (Int) -> Int) -> Target {
      Target(
        operation: operation,
        output: value,
        weightID: weightID,
        weight: weight,
        bias: bias,
        axis: axis,
        count: count,
        channel: channel
      )
    }
    switch operation.op {
    case is Conv:
      let size = weight.count / max(1, weight.shape[0])
      return made(1, weight.shape[0]) { $0 / size }
    case let op as ConvTranspose:
      let (columns, size) = (weight.shape[1], weight.shape[2...].reduce(1, *))
      let rows = weight.shape[0] / op.groups
      return made(1, columns * op.groups) { $0 / (columns * size) / rows * columns + $0 / size % columns }
    case is Linear:
      let size = weight.shape[1]
      return made(graph.type(value).rank - 1, weight.shape[0]) { $0 / size }
    default: return nil
    }
  }

  private struct Target {
    let operation: Operation, output: ValueID, weightID: ValueID, weight: Tensor, bias: Tensor?
    /// The channel axis of the result, and its extent.
    let axis: Int, count: Int
    /// The output channel that an element of the weight belongs to.
    let channel: (Int) -> Int
  }
}
