import MLCCore
import MLCGraph
import MLCOps

/// `Conv1D`, `Conv2D`, `Conv3D`: kernel `[*K, C/groups, M]`.
package struct KerasConv: KerasLayer {
  package static let classNames = ["Conv1D", "Conv2D", "Conv3D", "Convolution1D", "Convolution2D", "Convolution3D"]
  package static let masks = KerasMaskRule.drops

  package static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] {
    try config.weights("kernel")
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let rank = spatialRank(call.layer.className)
    let kernel = try context.tensor(0, rank: rank + 2).shape
    var window = try KerasWindow(call.config, rank: rank, kernel: Array(kernel.prefix(rank)))
    let x = try context.spatial(try call.input(), rank: rank, isChannelsFirst: window.isChannelsFirst)
    try window.settle("conv", kernel: kernel.prefix(rank).map { Dim($0) }, input: Array(context.fact(x).shape[2...]))
    var op = Conv()
    (op.strides, op.dilations, op.pad, op.padType) = (window.strides, window.dilations, window.pad, window.padType)
    op.groups = try call.config["groups"] == nil ? 1 : call.config.int("groups")
    let weight = try context.convolutionKernel(0, context.fact(x).dtype, rank: rank)
    return try context.convolved(call, op, x, weight, bias: 1, isChannelsFirst: window.isChannelsFirst)
  }
}
