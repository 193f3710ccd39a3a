import MLCCore
import MLCGraph
import MLCOps

/// Rows and columns of a convolution's weights that meet its padding alone are left out, as those of widely dilated
/// convolutions over small pictures do.
///
/// ```
/// %y = conv(x: T[1, C, 20, 20], w: T[M, C, 3, 3]) {dilations = [24, 24], pad = [24, 24, 24, 24]}
///   →   %y = conv(x, w[:, :, 1:2, 1:2])
/// ```
/// The weights are constant, the extents and the padding given in numbers.
package struct TrimConvTaps: Rewrite {
  package static let phase = Phase.canonicalize
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard var conv = operation.op as? Conv, conv.padType == "custom", !conv.pad.isEmpty,
      let x = operation.argument("x"), let id = operation.argument("weight"), let weight = graph.constant(id),
      weight.dtype.isFloat
    else { return nil }
    let kernel = Array(weight.shape[2...])
    let extents = graph.type(x).shape[2...].compactMap(\.constant)
    guard extents.count == kernel.count, conv.pad.count == 2 * kernel.count else { return nil }
    let strides = conv.strides.isEmpty ? kernel.map { _ in 1 } : conv.strides
    var dilations = conv.dilations.isEmpty ? kernel.map { _ in 1 } : conv.dilations
    var taps: [Range<Int>] = []
    for axis in kernel.indices {
      let (low, high) = (conv.pad[2 * axis], conv.pad[2 * axis + 1])
      let span = Span(
        kernel: kernel[axis],
        stride: strides[axis],
        dilation: dilations[axis],
        low: low,
        high: high,
        extent: extents[axis]
      )
      guard let met = span.met else { return nil }
      taps.append(met)
      conv.pad[2 * axis] = low - met.lowerBound * dilations[axis]
      conv.pad[2 * axis + 1] = high - (kernel[axis] - met.upperBound) * dilations[axis]
      if met.count == 1 { dilations[axis] = 1 }
    }
    if zip(taps, kernel).allSatisfy({ $0.count == $1 }) { return nil }
    conv.dilations = dilations
    let trimmed = graph.emitConstant(weight.trimmed(to: taps), name: "weight")
    return graph.patch(try graph.emit(conv, x, trimmed, operation.argument("bias")))
  }

  /// The window along one axis of `extent` inputs.
  private struct Span {
    let kernel: Int, stride: Int, dilation: Int, low: Int, high: Int, extent: Int

    /// The taps from the first to the last that meet an input, those added without which the padding would be
    /// negative; `nil` when there are none.
    var met: Range<Int>? {
      let outputs = (extent + low + high - (kernel - 1) * dilation - 1) / stride + 1
      let some = (0..<kernel).filter { tap in
        // The first output whose tap lies at an input or after it.
        let first = max(0, low - tap * dilation + stride - 1) / stride
        return first < outputs && first * stride - low + tap * dilation < extent
      }
      guard let first = some.first, let last = some.last else { return nil }
      let begin = min(first, low / dilation)
      return begin..<max(last + 1, kernel - high / dilation)
    }
  }
}

extension Tensor {
  /// The elements of a weight `[M, C, *K]` at `taps`.
  fileprivate func trimmed(to taps: [Range<Int>]) -> Tensor {
    let kernel = Array(shape[2...])
    var places = [0]
    for (range, extent) in zip(taps, kernel) { places = places.flatMap { place in range.map { place * extent + $0 } } }
    let (values, size) = (doubles, kernel.reduce(1, *))
    let result = Array(shape[..<2]) + taps.map(\.count)
    return Tensor(dtype, result, (0..<shape[0] * shape[1]).flatMap { row in places.map { values[row * size + $0] } })
  }
}
