import MLCCore
import MLCGraph
import MLCOps

/// `DepthwiseConv1D`, `DepthwiseConv2D`: each channel has its own `depth_multiplier` kernels, `[*K, C, multiplier]`.
package struct KerasDepthwiseConv: KerasLayer {
  package static let classNames = ["DepthwiseConv1D", "DepthwiseConv2D"]

  package static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] {
    try config.weights("depthwise_kernel")
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let depthwise = try Depthwise(call, rank: spatialRank(call.layer.className), in: &context)
    return try context.convolved(
      call,
      depthwise.op,
      depthwise.x,
      depthwise.weight,
      bias: 1,
      isChannelsFirst: depthwise.isChannelsFirst
    )
  }
}

/// `SeparableConv1D`, `SeparableConv2D`: a depthwise convolution, then one over channels, `[*1, C·multiplier, M]`.
package struct KerasSeparableConv: KerasLayer {
  package static let classNames = [
    "SeparableConv1D", "SeparableConv2D", "SeparableConvolution1D", "SeparableConvolution2D",
  ]

  package static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] {
    try config.weights("depthwise_kernel", "pointwise_kernel")
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let rank = spatialRank(call.layer.className)
    let depthwise = try Depthwise(call, rank: rank, in: &context)
    let x = try context.emit(depthwise.op, depthwise.x, depthwise.weight)
    let weight = try context.convolutionKernel(1, context.fact(x).dtype, rank: rank)
    return try context.convolved(call, Conv(), x, weight, bias: 2, isChannelsFirst: depthwise.isChannelsFirst)
  }
}

/// The convolution of each channel with weight 0 of a layer.
private struct Depthwise {
  let op: Conv
  let x: ValueID, weight: ValueID
  let isChannelsFirst: Bool

  /// Throws `keras.weights`, `keras.rank`, `keras.padding`.
  init(_ call: KerasCall, rank: Int, in context: inout KerasContext) throws(Diagnostic) {
    let kernel = try context.tensor(0, rank: rank + 2).shape
    isChannelsFirst = try KerasWindow.isChannelsFirst(call.config)
    x = try context.spatial(try call.input(), rank: rank, isChannelsFirst: isChannelsFirst)
    var op = try context.convolution(call.config, 0, x, rank: rank)
    let dtype = context.fact(x).dtype
    let (channels, multiplier) = (kernel[rank], kernel[rank + 1])
    let (outputs, overflow) = channels.multipliedReportingOverflow(by: multiplier)
    guard channels > 0, !overflow else { throw Diagnostic("keras.weights", "the kernel has the shape \(kernel)") }
    weight = try context.prepared("depthwise", dtype) { (context) throws(Diagnostic) in
      let order = [rank, rank + 1] + Array(0..<rank)
      let turned = try context.emit(Transpose(order), try context.weight(0, dtype))
      return try context.emit(Reshape(), turned, context.constant(ints: [outputs, 1] + kernel.prefix(rank), "shape"))
    }
    op.groups = channels
    self.op = op
  }
}
