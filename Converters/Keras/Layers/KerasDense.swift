import MLCCore
import MLCGraph
import MLCOps

/// `activation(x · kernel + bias)` over the last axis.
package struct KerasDense: KerasLayer {
  package static let classNames = ["Dense"]
  package static let masks = KerasMaskRule.passes

  package static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] {
    try config.weights("kernel")
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let x = try context.plain(try call.input())
    let dtype = context.fact(x).dtype
    var y = try context.emit(MatMul(), x, try context.weight(0, dtype, rank: 2))
    if try call.config.bool("use_bias", default: true) {
      y = try context.emit(Add(), y, try context.weight(1, dtype, rank: 1))
    }
    return [try KerasActivation(call.config, "activation").apply(to: KerasTensor(y), in: &context)]
  }
}
