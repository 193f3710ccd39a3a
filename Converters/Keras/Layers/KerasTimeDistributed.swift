import MLCCore
import MLCGraph
import MLCOps

/// A layer on each step by itself: the steps go into the batch and come back out of it.
package struct KerasTimeDistributed: KerasLayer {
  package static let classNames = ["TimeDistributed"]
  package static let masks = KerasMaskRule.passes

  package static func innerLayers(_ config: KerasConfig) throws(Diagnostic) -> [(key: String, layer: JSON)] {
    guard let layer = config["layer"] else { throw KerasConfig.wrong("layer", "is missing") }
    return [("layer", layer)]
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    guard let inner = call.layer.child("layer") else { throw KerasConfig.wrong("layer", "is missing") }
    let input = try call.input()
    if let type = inner.type, input.mask != nil, type.masks == .uses, inner.topology == nil {
      throw Diagnostic.mask(call)
    }
    let x = KerasTensor(try context.plain(input))
    // A dense layer takes any number of leading axes.
    if inner.type is KerasDense.Type { return try context.call(inner, [x]) }
    let shape = context.fact(x.value).shape
    guard shape.count >= 2 else { throw Diagnostic("keras.rank", "the input has no steps") }
    let single = try context.reshape(x.value, [shape[0] * shape[1]] + shape[2...])
    var outputs: [KerasTensor] = []
    for output in try context.call(inner, [KerasTensor(single)]) {
      let value = try context.plain(output)
      let rest = context.fact(value).shape.dropFirst()
      outputs.append(KerasTensor(try context.reshape(value, Array(shape[..<2]) + rest, sources: [x.value])))
    }
    return outputs
  }
}
