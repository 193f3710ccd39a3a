import MLCCore
import MLCGraph
import MLCOps

/// A transposition before an elementwise operation, a concatenation, padding or a reduction moves behind it, where it
/// may meet one that undoes it.
///
/// ```
/// %t = transpose(x); %y = relu(%t)   →   %r = relu(x); %y = transpose(%r)
/// ```
/// Every tensor argument is transposed alike, or a constant, which is transposed back; no transposition has another
/// reader. A sum or product of floats keeps its terms in their order, for it rounds otherwise in another.
package struct SinkTransposes: Rewrite {
  package static let phase = Phase.canonicalize
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    switch operation.op {
    case is any ElementwiseUnary, is Gelu, is Cast: return try unary(operation, &graph)
    case is any ElementwiseBinary, is Pow: return try binary(operation, &graph)
    case let op as Concat: return try concat(operation, op, &graph)
    case is Pad: return try pad(operation, &graph)
    case let op as any Reduction: return try reduction(operation, op, &graph)
    default: return nil
    }
  }

  /// The transposition that alone makes `value` for one reader.
  private func source(_ value: ValueID?, _ graph: GraphEditor) -> (x: ValueID, order: [Int])? {
    guard let value, graph.uses(value) == 1, let (operation, op) = graph.producer(value, as: Transpose.self) else {
      return nil
    }
    return (operation.inputs[0][0], op.order)
  }

  private func unary(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard operation.inputs.count == 1, let (x, order) = source(operation.inputs[0].first, graph) else { return nil }
    let result = try graph.emit(operation.op, x)
    return graph.patch(try graph.emit(Transpose(order), result))
  }

  private func binary(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard let (a, b) = graph.pair(operation) else { return nil }
    let (left, right) = (source(a, graph), source(b, graph))
    guard let order = left?.order ?? right?.order else { return nil }
    if let left, let right, left.order != right.order { return nil }
    var (x, y) = (left?.x, right?.x)
    if x == nil { x = try restored(a, order, &graph) }
    if y == nil { y = try restored(b, order, &graph) }
    guard let x, let y else { return nil }
    let result = try graph.emit(operation.op, x, y)
    guard graph.type(result).rank == order.count else { return nil }
    return graph.patch(try graph.emit(Transpose(order), result))
  }

  /// A constant as it was before the transposition: of one element as it is, of full rank transposed back.
  private func restored(_ value: ValueID, _ order: [Int], _ graph: inout GraphEditor) throws(Diagnostic) -> ValueID? {
    guard let tensor = graph.constant(value), tensor.rank <= order.count else { return nil }
    if tensor.count == 1, tensor.rank < order.count { return value }
    let whole = tensor.reshaped([Int](repeating: 1, count: order.count - tensor.rank) + tensor.shape)
    let full = whole.shape == tensor.shape ? value : graph.emitConstant(whole)
    var inverse = order
    for (place, axis) in order.enumerated() { inverse[axis] = place }
    return try graph.emit(Transpose(inverse), full)
  }

  private func concat(_ operation: Operation, _ op: Concat, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    let sources = operation.inputs[0].map { source($0, graph) }
    guard let order = sources.first??.order, sources.allSatisfy({ $0?.order == order }) else { return nil }
    let axis = order[op.axis < 0 ? op.axis + order.count : op.axis]
    let result = try graph.emitAll(Concat(axis: axis), [sources.map { $0!.x }])[0]
    return graph.patch(try graph.emit(Transpose(order), result))
  }

  private func pad(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard let (x, order) = source(operation.inputs[0].first, graph), let id = operation.argument("pad"),
      let pads = graph.constant(id)?.integers, pads.count <= 2 * order.count
    else { return nil }
    let whole = [Int](repeating: 0, count: 2 * order.count - pads.count) + pads
    var moved = whole
    for (place, axis) in order.enumerated() {
      moved[2 * axis] = whole[2 * place]
      moved[2 * axis + 1] = whole[2 * place + 1]
    }
    let amounts = graph.emitConstant(Tensor(.int32, [moved.count], moved), name: "pad")
    let result = try graph.emit(operation.op, x, amounts, operation.argument("constant_val"))
    return graph.patch(try graph.emit(Transpose(order), result))
  }

  private func reduction(
    _ operation: Operation,
    _ op: any Reduction,
    _ graph: inout GraphEditor
  ) throws(Diagnostic) -> Patch? {
    guard let (x, order) = source(operation.inputs[0].first, graph) else { return nil }
    var op = op
    let axes = try op.reducedAxes(rank: order.count)
    let moved = axes.map { order[$0] }
    guard moved == moved.sorted() || op is ReduceMax || op is ReduceMin || !graph.type(x).dtype.isFloat else {
      return nil
    }
    op.axes = moved.sorted()
    let result = try graph.emit(op, x)
    if op.keepDims { return graph.patch(try graph.emit(Transpose(order), result)) }
    let kept = order.indices.filter { !axes.contains($0) }.map { order[$0] }
    let ranks = kept.map { axis in kept.filter { $0 < axis }.count }
    return graph.patch(ranks == ranks.sorted() ? result : try graph.emit(Transpose(ranks), result))
  }
}
