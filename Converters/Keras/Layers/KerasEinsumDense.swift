import MLCCore
import MLCGraph
import MLCOps

/// `activation(einsum(x, kernel) + bias)`.
package struct KerasEinsumDense: KerasLayer {
  package static let classNames = ["EinsumDense"]

  package static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] {
    try config.requirePlainWeights()
    return [KerasWeight("kernel")] + (config["bias_axes"] == nil ? [] : [KerasWeight("bias")])
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let x = try context.plain(try call.input())
    let dtype = context.fact(x).dtype
    var y = try context.einsum(try call.config.string("equation"), [x, try context.weight(0, dtype)])
    if call.config["bias_axes"] != nil { y = try context.emit(Add(), y, try context.weight(1, dtype)) }
    return [try KerasActivation(call.config, "activation").apply(to: KerasTensor(y), in: &context)]
  }
}
