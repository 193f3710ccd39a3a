import MLCCore
import MLCGraph
import MLCOps

/// A one-dimensional convolution, transposed or not, becomes a two-dimensional one of planes of one row, which is what
/// targets have layouts for.
///
/// ```
/// %y = conv(x: T[N, C, D], w: T[M, C, K])   →   %p = expand_dims(x): T[N, C, 1, D]; %c = conv(%p, w′: T[M, C, 1, K])
///                                               %y = squeeze(%c)
/// ```
/// Weights are constant. Fewer channels than lie side by side in a block would leave part of it empty, and stay rows.
package struct PlanesOfConv1D: Rewrite {
  package static let phase = Phase.fuse
  package init() {}

  /// As many as the widest block has.
  private static let fewestChannels = 16

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard operation.op is Conv || operation.op is ConvTranspose, let x = operation.argument("x"),
      graph.type(x).rank == 3, let id = operation.argument("weight"), let weight = graph.constant(id),
      let result = operation.outputs.first, isWide(x, graph), isWide(result, graph)
    else { return nil }
    let op: any Operator
    switch operation.op {
    case var conv as Conv:
      (conv.strides, conv.dilations) = (behindRow(conv.strides, 1), behindRow(conv.dilations, 1))
      conv.pad = conv.pad.isEmpty ? [] : [0, 0] + conv.pad
      op = conv
    case var conv as ConvTranspose:
      (conv.strides, conv.dilations) = (behindRow(conv.strides, 1), behindRow(conv.dilations, 1))
      conv.pad = conv.pad.isEmpty ? [] : [0, 0] + conv.pad
      conv.outputPadding = behindRow(conv.outputPadding, 0)
      if !conv.outputShape.isEmpty { conv.outputShape.insert(1, at: 2) }
      op = conv
    default: return nil
    }
    let filters = graph.emitConstant(weight.reshaped(weight.shape[..<2] + [1] + weight.shape[2...]), name: "weight")
    let planes = try graph.emit(op, try graph.plane(of: x), filters, operation.argument("bias"))
    return graph.patch(try graph.emit(Squeeze([2]), planes))
  }

  private func isWide(_ value: ValueID, _ graph: GraphEditor) -> Bool {
    graph.type(value).shape[1].constant.map { $0 >= PlanesOfConv1D.fewestChannels } ?? false
  }

  /// The numbers of a row's axis, of which none means the usual ones, and before them that of the axis of rows.
  private func behindRow(_ numbers: [Int], _ first: Int) -> [Int] { numbers.isEmpty ? [] : [first] + numbers }
}

extension GraphEditor {
  /// The plane `[N, C, 1, D]` of which `value` is the only row, where `squeeze` makes it so.
  package func squeezedPlane(_ value: ValueID?) -> ValueID? {
    guard let value, let (operation, op) = producer(value, as: Squeeze.self), op.axes == [2],
      type(operation.inputs[0][0]).rank == 4
    else { return nil }
    return operation.inputs[0][0]
  }

  /// `value`, `[N, C, D]`, as a plane of one row.
  mutating func plane(of value: ValueID) throws(Diagnostic) -> ValueID {
    if let plane = squeezedPlane(value) { return plane }
    return try emit(ExpandDims([2]), value)
  }
}
