import MLCCore
import MLCGraph
import MLCOps

/// A map by channel before `conv` with constant weights goes into weights and bias.
///
/// `conv(x · s + t, w, b)` is `conv(x, w′, b′)` with w′[m, c, k] = w · s[c] and b′[m] = b + Σ w · t[c]. A shift other
/// than 0 needs a convolution without padding. The map has no other reader.
package struct FuseAffineIntoConv: Rewrite {
  package static let phase = Phase.fuse
  package static let tolerance = 1e-4
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard let op = operation.op as? Conv, let input = operation.inputs[0].first, graph.uses(input) == 1,
      let map = graph.producer(input), let weightID = operation.argument("weight"),
      let weight = graph.constant(weightID), weight.count > 0,
      let (x, affine) = ChannelAffine.match(map, axis: 1, count: weight.shape[1] * op.groups, graph), affine.isFinite,
      graph.type(x) == graph.type(input)
    else { return nil }
    let shifts = affine.shift.contains { $0 != 0 }
    let isPadded = op.padType.hasPrefix("same") || (op.padType == "custom" && op.pad.contains { $0 != 0 })
    if shifts && isPadded { return nil }
    var bias = [Double](repeating: 0, count: weight.shape[0])
    if let id = operation.argument("bias") {
      guard let tensor = graph.constant(id) else { return nil }
      bias = tensor.doubles
    }
    let (outputs, columns) = (weight.shape[0], weight.shape[1])
    let size = weight.shape[2...].reduce(1, *)
    let channel = { (index: Int) in index / (columns * size) * op.groups / outputs * columns + index / size % columns }
    if shifts {
      for (index, number) in weight.doubles.enumerated() {
        bias[index / (columns * size)] += number * affine.shift[channel(index)]
      }
    }
    let scaled = graph.emitConstant(weight.scaled { affine.scale[channel($0)] }, name: "weight")
    let hasBias = shifts || operation.argument("bias") != nil
    let biasID = hasBias ? graph.emitConstant(Tensor(weight.dtype, [outputs], bias), name: "bias") : nil
    return graph.patch(try graph.emit(op, x, scaled, biasID))
  }
}
