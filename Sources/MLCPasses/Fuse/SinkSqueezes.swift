import MLCCore
import MLCGraph
import MLCOps

/// What makes rows `[N, C, D]` of planes of one row `[N, C, 1, D]`, before operations between one-dimensional
/// convolutions, moves behind them, where it meets what makes planes again.
///
/// ```
/// %s = squeeze(x) {axes = [2]}; %y = relu(%s)   →   %r = relu(x); %y = squeeze(%r)
/// ```
/// Every argument of rank 3 is such a row or a constant.
package struct SinkSqueezes: Rewrite {
  package static let phase = Phase.fuse
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    switch operation.op {
    case is any ElementwiseBinary, is Pow: return try binary(operation, &graph)
    case var op as Concat:
      let planes = operation.inputs[0].compactMap { graph.squeezedPlane($0) }
      guard planes.count == operation.inputs[0].count else { return nil }
      op.axis = behindRow(op.axis)
      return try patch(op, [planes], &graph)
    default: break
    }
    guard let plane = graph.squeezedPlane(operation.inputs.first?.first) else { return nil }
    let others = Array(operation.inputs.dropFirst())
    switch operation.op {
    case let op as ExpandDims where op.axes == [2]: return graph.patch(plane)
    case is any ElementwiseUnary, is Gelu, is Cast, is BatchNorm, is InstanceNorm:
      return try patch(operation.op, [[plane]] + others, &graph)
    case var op as Split:
      op.axis = behindRow(op.axis)
      return try patch(op, [[plane]] + others, &graph)
    case var op as Resize:
      op.axes = try op.resolvedAxes(rank: 3).map(behindRow)
      return try patch(op, [[plane]] + others, &graph)
    case let op as Pad: return try pad(operation, op, plane, &graph)
    case let op as SliceByIndex: return try slice(operation, op, plane, &graph)
    case let op as any Reduction: return try reduction(op, plane, &graph)
    default: return nil
    }
  }

  /// The axis of the plane that `axis` of its row is.
  private func behindRow(_ axis: Int) -> Int { axis == 2 || axis == -1 ? 3 : axis < 0 ? axis + 3 : axis }

  private func patch(_ op: any Operator, _ inputs: [[ValueID]], _ graph: inout GraphEditor) throws(Diagnostic) -> Patch
  {
    var rows: [ValueID] = []
    for result in try graph.emitAll(op, inputs) { rows.append(try graph.emit(Squeeze([2]), result)) }
    return graph.patch(all: rows)
  }

  private func binary(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard let (a, b) = graph.pair(operation) else { return nil }
    var (x, y) = (graph.squeezedPlane(a), graph.squeezedPlane(b))
    if x == nil, y != nil { x = spread(a, &graph) } else if y == nil { y = spread(b, &graph) }
    guard let x, let y, graph.type(x).rank == 4 || graph.type(y).rank == 4 else { return nil }
    return try patch(operation.op, [[x], [y]], &graph)
  }

  /// A constant that broadcasts along planes as it does along their rows.
  private func spread(_ value: ValueID, _ graph: inout GraphEditor) -> ValueID? {
    guard let tensor = graph.constant(value), tensor.rank <= 3 else { return nil }
    if tensor.rank < 2 { return value }
    var shape = tensor.shape
    shape.insert(1, at: shape.count - 1)
    return graph.emitConstant(tensor.reshaped(shape))
  }

  private func pad(_ operation: Operation, _ op: Pad, _ plane: ValueID, _ graph: inout GraphEditor) throws(Diagnostic)
    -> Patch?
  {
    guard let id = operation.argument("pad"), let given = graph.constant(id)?.integers, given.count <= 6 else {
      return nil
    }
    var whole = [Int](repeating: 0, count: 6 - given.count) + given
    whole.insert(contentsOf: [0, 0], at: 4)
    let amounts = graph.emitConstant(Tensor(.int32, [whole.count], whole), name: "pad")
    let result = try graph.emit(op, plane, amounts, operation.argument("constant_val"))
    return graph.patch(try graph.emit(Squeeze([2]), result))
  }

  private func slice(
    _ operation: Operation,
    _ op: SliceByIndex,
    _ plane: ValueID,
    _ graph: inout GraphEditor
  ) throws(Diagnostic) -> Patch? {
    guard !op.squeezeMask.contains(true) else { return nil }
    var bounds: [ValueID?] = []
    for (name, row) in [("begin", 0), ("end", 1), ("stride", 1)] {
      guard let id = operation.argument(name) else {
        bounds.append(nil)
        continue
      }
      guard var numbers = graph.constant(id)?.integers, numbers.count == 3 else { return nil }
      numbers.insert(row, at: 2)
      bounds.append(graph.emitConstant(Tensor(.int64, [4], numbers), name: name))
    }
    var slice = op
    slice.squeezeMask = []
    if !slice.beginMask.isEmpty { slice.beginMask.insert(true, at: 2) }
    if !slice.endMask.isEmpty { slice.endMask.insert(true, at: 2) }
    let result = try graph.emit(slice, plane, bounds[0], bounds[1], bounds[2])
    return graph.patch(try graph.emit(Squeeze([2]), result))
  }

  private func reduction(_ op: any Reduction, _ plane: ValueID, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch
  {
    var kept = op
    kept.axes = try op.reducedAxes(rank: 3).map(behindRow)
    kept.keepDims = true
    let gone = op.keepDims ? [2] : (kept.axes + [2]).sorted()
    return graph.patch(try graph.emit(Squeeze(gone), try graph.emit(kept, plane)))
  }
}
