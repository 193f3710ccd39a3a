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
    let isChannelsFirst = try KerasWindow.isChannelsFirst(call.config)
    let x = try context.spatial(try call.input(), rank: rank, isChannelsFirst: isChannelsFirst)
    var op = try context.convolution(call.config, 0, x, rank: rank)
    op.groups = try call.config["groups"] == nil ? 1 : call.config.int("groups")
    let weight = try context.convolutionKernel(0, context.fact(x).dtype, rank: rank)
    return try context.convolved(call, op, x, weight, bias: 1, isChannelsFirst: isChannelsFirst)
  }
}
