import MLCCore
import MLCGraph
import MLCOps

/// A three-dimensional convolution of 3×3 windows over rows and columns, one output a step, becomes a two-dimensional
/// one of planes, whose channels are those of every plane that a window reaches: it then has what targets know of
/// two-dimensional ones.
///
/// ```
/// %y = conv(x: T[N, C, D, H, W], w: T[M, C, K, 3, 3])
///   →   %p = concat(planes 0… of x, planes 1…, …): T[N·D′, K·C, H, W]; %y = conv(%p, w′: T[M, K·C, 3, 3])
/// ```
/// with the planes outermost, and back. Weights are constant and finite: planes of padding are multiplied.
package struct PlanesOfConv3D: Rewrite {
  package static let phase = Phase.fuse
  package static let tolerance = 1e-4
  package init() {}

  /// Fewer channels are moved for as long as they are multiplied.
  private static let fewestChannels = 16

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard let conv = operation.op as? Conv, conv.groups == 1, ["custom", "valid"].contains(conv.padType),
      let x = operation.argument("x"), graph.type(x).rank == 5, let id = operation.argument("weight"),
      let weight = graph.constant(id), weight.dtype.isFloat, weight.largestMagnitude.isFinite,
      Array(weight.shape[3...]) == [3, 3], min(weight.shape[0], weight.shape[1]) >= PlanesOfConv3D.fewestChannels
    else { return nil }
    let (channels, depth) = (weight.shape[1], weight.shape[2])
    let result = graph.type(operation.outputs[0]).shape.dropFirst().compactMap(\.constant)
    let given = graph.type(x).shape.dropFirst().compactMap(\.constant)
    let strides = conv.strides.isEmpty ? [1, 1, 1] : conv.strides
    let dilations = conv.dilations.isEmpty ? [1, 1, 1] : conv.dilations
    let pad = conv.padType == "valid" || conv.pad.isEmpty ? [Int](repeating: 0, count: 6) : conv.pad
    guard result.count == 4, given.count == 4, strides[1...].allSatisfy({ $0 == 1 }), pad.count == 6 else { return nil }

    var planes = try graph.emit(Transpose([0, 2, 1, 3, 4]), x)
    if pad[0] != 0 || pad[1] != 0 {
      let amounts = graph.emitConstant(Tensor(.int32, [10], [0, 0, pad[0], pad[1], 0, 0, 0, 0, 0, 0]), name: "pad")
      planes = try graph.emit(Pad(mode: "constant"), planes, amounts, graph.emitScalar(0, like: x))
    }
    var reached: [ValueID] = []
    for tap in 0..<depth {
      let first = tap * dilations[0]
      let some = try every(strides[0], of: planes, from: first, count: result[1], &graph)
      reached.append(try reshaped(some, [-1, channels, given[2], given[3]], &graph))
    }
    planes = reached.count == 1 ? reached[0] : try graph.emitAll(Concat(axis: 1), [reached])[0]

    var flat = conv
    (flat.strides, flat.dilations, flat.pad) = ([1, 1], Array(dilations[1...]), Array(pad[2...]))
    flat.padType = "custom"
    let filters = graph.emitConstant(weight.depthBeforeChannels, name: "weight")
    let product = try graph.emit(flat, planes, filters, operation.argument("bias"))
    let whole = try reshaped(product, [-1, result[1], result[0], result[2], result[3]], &graph)
    return graph.patch(try graph.emit(Transpose([0, 2, 1, 3, 4]), whole))
  }

  /// `count` planes of `x` from `first` on, each `step`-th.
  private func every(
    _ step: Int,
    of x: ValueID,
    from first: Int,
    count: Int,
    _ graph: inout GraphEditor
  ) throws(Diagnostic) -> ValueID {
    let open = [true, false, true, true, true]
    func bounds(_ place: Int, _ others: Int, _ name: String) -> ValueID {
      graph.emitConstant(Tensor(.int32, [5], [others, place, others, others, others]), name: name)
    }
    let (begin, end) = (bounds(first, 0, "begin"), bounds(first + (count - 1) * step + 1, 0, "end"))
    return try graph.emit(SliceByIndex(beginMask: open, endMask: open), x, begin, end, bounds(step, 1, "stride"))
  }

  private func reshaped(_ x: ValueID, _ shape: [Int], _ graph: inout GraphEditor) throws(Diagnostic) -> ValueID {
    try graph.emit(Reshape(), x, graph.emitConstant(Tensor(.int32, [shape.count], shape), name: "shape"))
  }
}

extension Tensor {
  /// `[M, C, K, 3, 3]` as `[M, K·C, 3, 3]`.
  fileprivate var depthBeforeChannels: Tensor {
    let (filters, channels, depth, window) = (shape[0], shape[1], shape[2], shape[3] * shape[4])
    let values = doubles
    var result = [Double](repeating: 0, count: values.count)
    for filter in 0..<filters {
      for channel in 0..<channels {
        for plane in 0..<depth {
          let from = ((filter * channels + channel) * depth + plane) * window
          let to = ((filter * depth + plane) * channels + channel) * window
          for tap in 0..<window { result[to + tap] = values[from + tap] }
        }
      }
    }
    return Tensor(dtype, [filters, depth * channels] + Array(shape[3...]), result)
  }
}
