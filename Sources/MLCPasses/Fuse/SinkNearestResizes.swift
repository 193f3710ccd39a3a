import MLCCore
import MLCGraph
import MLCOps

/// A convolution of single taps, or a function of single elements, computes what nearest neighbours repeat once, before
/// it is repeated.
///
/// ```
/// %r = resize(x) {mode = "nearest"}; %y = conv(%r, w: T[M, C, 1, 1])   →   %c = conv(x, w); %y = resize(%c)
/// ```
/// The resizing chooses among the data by spatial axes alone, whose extents are known, and makes at least half as many
/// elements more. Readers of it that are not moved keep it; a function is moved if it is the only one.
package struct SinkNearestResizes: Rewrite {
  package static let phase = Phase.fuse
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard let input = operation.inputs.first?.first,
      let (resizing, resize) = graph.producer(input, as: Resize.self), let x = resizing.inputs[0].first,
      grows(graph.type(x), to: graph.type(input)), let spatial = try spatial(resizing, resize, &graph)
    else { return nil }
    let result: ValueID
    switch operation.op {
    case let conv as Conv where isPointwise(conv, operation.argument("weight"), graph):
      result = try graph.emit(conv, x, operation.argument("weight"), operation.argument("bias"))
    case is any ElementwiseUnary where operation.inputs.count == 1 && graph.uses(input) == 1:
      result = try graph.emit(operation.op, x)
    default: return nil
    }
    return graph.patch(try graph.emit(spatial.op, result, spatial.sizes, spatial.scales))
  }

  /// Whether only extents behind the first two differ, and their product at least by half.
  private func grows(_ x: TensorType, to y: TensorType) -> Bool {
    guard x.rank > 2, x.shape[..<2] == y.shape[..<2] else { return false }
    let from = x.shape[2...].compactMap(\.constant)
    let to = y.shape[2...].compactMap(\.constant)
    guard from.count == x.rank - 2, to.count == from.count else { return false }
    return 2 * to.reduce(1, *) >= 3 * from.reduce(1, *)
  }

  /// The same resizing that names its spatial axes alone, and what it takes beside the data; `nil` when other axes have
  /// a scale, or elements come from beyond the data.
  private func spatial(
    _ operation: Operation,
    _ op: Resize,
    _ graph: inout GraphEditor
  ) throws(Diagnostic) -> (op: Resize, sizes: ValueID?, scales: ValueID?)? {
    guard op.mode == "nearest", op.coordinateMode != "tf_crop_and_resize", op.aspectPolicy == "stretch" else {
      return nil
    }
    let axes = try op.resolvedAxes(rank: graph.type(operation.inputs[0][0]).rank)
    let kept = axes.indices.filter { axes[$0] >= 2 }
    let isScaled = operation.argument("scales") != nil
    guard let id = operation.argument("scales") ?? operation.argument("sizes"), let given = graph.constant(id),
      !isScaled || axes.indices.allSatisfy({ axes[$0] >= 2 || given.doubles[$0] == 1 })
    else { return nil }
    var resize = op
    resize.axes = kept.map { axes[$0] }
    let values = kept.map { given.doubles[$0] }
    let amounts = graph.emitConstant(Tensor(given.dtype, [kept.count], values), name: isScaled ? "scales" : "sizes")
    return isScaled ? (resize, nil, amounts) : (resize, amounts, nil)
  }

  /// Whether each output is made of x at its own place alone.
  private func isPointwise(_ conv: Conv, _ weight: ValueID?, _ graph: GraphEditor) -> Bool {
    guard let weight, graph.type(weight).shape[2...].allSatisfy({ $0 == 1 }) else { return false }
    return conv.strides.allSatisfy { $0 == 1 } && (conv.padType != "custom" || conv.pad.allSatisfy { $0 == 0 })
  }
}
