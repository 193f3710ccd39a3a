import MLCCore
import MLCGraph
import MLCOps

/// `DepthwiseConv2D`: each channel has its own `depth_multiplier` kernels, `[*K, C, multiplier]`.
package struct KerasDepthwiseConv: KerasLayer {
  package static let classNames = ["DepthwiseConv2D"]

  package static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] {
    [KerasWeight("depthwise_kernel")] + (try config.bool("use_bias", default: true) ? [KerasWeight("bias")] : [])
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let rank = spatialRank(call.layer.className)
    let (value, isChannelsFirst) = try depthwise(call, rank: rank, bias: 1, in: &context)
    let result = context.spatialResult(value, isChannelsFirst: isChannelsFirst)
    return [try KerasActivation(call.config, "activation").apply(to: result, in: &context)]
  }

  /// The convolution of each channel with weight 0 of the layer, and the bias at index `bias` if the layer has one.
  static func depthwise(
    _ call: KerasCall,
    rank: Int,
    bias: Int?,
    in context: inout KerasContext
  ) throws(Diagnostic) -> (value: ValueID, isChannelsFirst: Bool) {
    let kernel = try context.tensor(0, rank: rank + 2).shape
    var window = try KerasWindow(call.config, rank: rank, kernel: Array(kernel.prefix(rank)))
    let x = try context.spatial(try call.input(), rank: rank, isChannelsFirst: window.isChannelsFirst)
    try window.settle("conv", kernel: kernel.prefix(rank).map { Dim($0) }, input: Array(context.fact(x).shape[2...]))
    let dtype = context.fact(x).dtype
    let (channels, multiplier) = (kernel[rank], kernel[rank + 1])
    let (outputs, overflow) = channels.multipliedReportingOverflow(by: multiplier)
    guard channels > 0, !overflow else { throw Diagnostic("keras.weights", "the kernel has the shape \(kernel)") }
    let weight = try context.prepared("depthwise", dtype) { (context) throws(Diagnostic) in
      let order = [rank, rank + 1] + Array(0..<rank)
      let turned = try context.emit(Transpose(order), try context.weight(0, dtype))
      return try context.emit(Reshape(), turned, context.constant(ints: [outputs, 1] + kernel.prefix(rank), "shape"))
    }
    var op = Conv()
    (op.strides, op.dilations, op.pad, op.padType) = (window.strides, window.dilations, window.pad, window.padType)
    op.groups = channels
    var offset: ValueID?
    if let bias, try call.config.bool("use_bias", default: true) { offset = try context.weight(bias, dtype, rank: 1) }
    return (try context.emit(op, x, weight, offset), window.isChannelsFirst)
  }
}

/// `SeparableConv1D`, `SeparableConv2D`: a depthwise convolution, then one over channels, `[*1, C·multiplier, M]`.
package struct KerasSeparableConv: KerasLayer {
  package static let classNames = [
    "SeparableConv1D", "SeparableConv2D", "SeparableConvolution1D", "SeparableConvolution2D",
  ]

  package static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] {
    [KerasWeight("depthwise_kernel"), KerasWeight("pointwise_kernel")]
      + (try config.bool("use_bias", default: true) ? [KerasWeight("bias")] : [])
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let rank = spatialRank(call.layer.className)
    let (x, isChannelsFirst) = try KerasDepthwiseConv.depthwise(call, rank: rank, bias: nil, in: &context)
    let dtype = context.fact(x).dtype
    let weight = try context.prepared("pointwise", dtype) { (context) throws(Diagnostic) in
      let order = [rank + 1, rank] + Array(0..<rank)
      return try context.emit(Transpose(order), try context.weight(1, dtype, rank: rank + 2))
    }
    let bias = try call.config.bool("use_bias", default: true) ? try context.weight(2, dtype, rank: 1) : nil
    let y = try context.emit(Conv(), x, weight, bias)
    let result = context.spatialResult(y, isChannelsFirst: isChannelsFirst)
    return [try KerasActivation(call.config, "activation").apply(to: result, in: &context)]
  }
}
