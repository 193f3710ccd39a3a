import MLCCore
import MLCGraph
import MLCOps

/// A row of the table for each index. With `mask_zero`, steps of index 0 do not count.
package struct KerasEmbedding: KerasLayer {
  package static let classNames = ["Embedding"]
  package static let masks = KerasMaskRule.uses

  package static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] {
    try config.requirePlainWeights()
    return [KerasWeight("embeddings")]
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    var indices = try context.plain(try call.input())
    if !context.fact(indices).dtype.isInteger { indices = try context.emit(Cast(.int32), indices) }
    let table = try context.weight(0, try call.config.computeType(), rank: 2)
    var result = KerasTensor(try context.emit(Gather(axis: 0), table, indices))
    if try call.config.bool("mask_zero", default: false) {
      result.mask = try context.emit(NotEqual(), indices, context.scalar(0, like: indices))
    }
    return [result]
  }
}

/// Steps whose elements are all `mask_value` do not count, and become zeros.
package struct KerasMasking: KerasLayer {
  package static let classNames = ["Masking"]
  package static let masks = KerasMaskRule.uses

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let x = try context.plain(try call.input())
    let dtype = context.fact(x).dtype
    let value = context.scalar(try call.config.number("mask_value", default: 0), like: x)
    let differs = try context.emit(Cast(dtype), try context.emit(NotEqual(), x, value))
    let any = try context.emit(ReduceMax(axes: [-1], keepDims: true), differs)
    let masked = try context.emit(Mul(), x, any)
    let mask = try context.emit(Greater(), try context.emit(Squeeze([-1]), any), context.scalar(0, like: any))
    return [KerasTensor(masked, mask: mask)]
  }
}
