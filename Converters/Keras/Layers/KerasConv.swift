import MLCCore
import MLCGraph
import MLCOps

/// `Conv1D`, `Conv2D`, `Conv3D`: kernel `[*K, C/groups, M]`.
package struct KerasConv: KerasLayer {
  package static let classNames = ["Conv1D", "Conv2D", "Conv3D", "Convolution1D", "Convolution2D", "Convolution3D"]
  package static let masks = KerasMaskRule.drops

  package static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] {
    if config["lora_rank"] != nil || config["quantization_config"] != nil {
      throw Diagnostic("keras.option", "LoRA and quantised weights are not supported", kind: .unsupported)
    }
    return [KerasWeight("kernel")] + (try config.bool("use_bias", default: true) ? [KerasWeight("bias")] : [])
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let rank = spatialRank(call.layer.className)
    let kernel = try context.tensor(0, rank: rank + 2).shape
    var window = try KerasWindow(call.config, rank: rank, kernel: Array(kernel.prefix(rank)))
    let x = try context.spatial(try call.input(), rank: rank, isChannelsFirst: window.isChannelsFirst)
    try window.settle("conv", kernel: kernel.prefix(rank).map { Dim($0) }, input: Array(context.fact(x).shape[2...]))
    let dtype = context.fact(x).dtype
    let weight = try context.prepared("kernel", dtype) { (context) throws(Diagnostic) in
      let order = [rank + 1, rank] + Array(0..<rank)
      return try context.emit(Transpose(order), try context.weight(0, dtype))
    }
    var op = Conv()
    (op.strides, op.dilations, op.pad, op.padType) = (window.strides, window.dilations, window.pad, window.padType)
    op.groups = try call.config["groups"] == nil ? 1 : call.config.int("groups")
    let bias = try call.config.bool("use_bias", default: true) ? try context.weight(1, dtype, rank: 1) : nil
    let y = try context.emit(op, x, weight, bias)
    let result = context.spatialResult(y, isChannelsFirst: window.isChannelsFirst)
    return [try KerasActivation(call.config, "activation").apply(to: result, in: &context)]
  }
}
