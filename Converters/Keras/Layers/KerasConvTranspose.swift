import MLCCore
import MLCGraph
import MLCOps

/// `Conv1DTranspose`, `Conv2DTranspose`, `Conv3DTranspose`: kernel `[*K, M, C]`.
///
/// With stride s, dilated kernel k and input D the result has, without `output_padding`, D·s elements for `same` and
/// D·s + max(k − s, 0) for `valid`; with it (D − 1)·s + k − 2·p + output_padding, p being ⌊k/2⌋ for `same` and 0 for
/// `valid`. What the whole result has more is cut off, the odd element at the end.
package struct KerasConvTranspose: KerasLayer {
  package static let classNames = [
    "Conv1DTranspose", "Conv2DTranspose", "Conv3DTranspose", "Deconvolution2D", "Deconvolution3D",
    "Convolution1DTranspose", "Convolution2DTranspose", "Convolution3DTranspose",
  ]

  package static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] {
    try config.weights("kernel")
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let rank = spatialRank(call.layer.className)
    let kernel = try context.tensor(0, rank: rank + 2).shape
    let window = try KerasWindow(call.config, rank: rank, kernel: Array(kernel.prefix(rank)))
    let x = try context.spatial(try call.input(), rank: rank, isChannelsFirst: window.isChannelsFirst)
    var op = ConvTranspose()
    (op.strides, op.dilations) = (window.strides, window.dilations)
    let extra = try call.config.ints("output_padding", count: rank)
    for axis in 0..<rank {
      let cut = try KerasConvTranspose.cut(window, axis, kernel[axis], extra?[axis])
      op.pad += [cut.low, cut.high]
      op.outputPadding.append(cut.added)
    }
    let weight = try context.convolutionKernel(0, context.fact(x).dtype, rank: rank)
    return try context.convolved(call, op, x, weight, bias: 1, isChannelsFirst: window.isChannelsFirst)
  }

  /// What is cut off the whole result, (D − 1)·s + k elements, on both sides, and what is added at the end.
  private static func cut(
    _ window: KerasWindow,
    _ axis: Int,
    _ kernel: Int,
    _ outputPadding: Int?
  ) throws(Diagnostic) -> (low: Int, high: Int, added: Int) {
    let stride = window.strides[axis]
    let (spread, overflow) = (kernel - 1).multipliedReportingOverflow(by: window.dilations[axis])
    guard !overflow, kernel > 0, spread < 1 << 31, stride > 0 else {
      throw Diagnostic("keras.padding", "a kernel of \(kernel) with stride \(stride) is none")
    }
    let (extent, isSame) = (spread + 1, window.padType == "same")
    // How many elements less than the whole result there are.
    let less: Int
    if let outputPadding {
      less = (isSame ? 2 * (extent / 2) : 0) - outputPadding
    } else {
      less = isSame ? extent - stride : min(extent - stride, 0)
    }
    if less <= 0 { return (0, 0, -less) }
    return isSame ? (less / 2, less - less / 2, 0) : (0, less, 0)
  }
}
