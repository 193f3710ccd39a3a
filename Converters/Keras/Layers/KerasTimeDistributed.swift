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
    let single = try context.reshape(x.value, [shape[0] * shape[1]] + shape[2...], open: 0)
    var outputs: [KerasTensor] = []
    for output in try context.call(inner, [KerasTensor(single)]) {
      let value = try context.plain(output)
      let rest = context.fact(value).shape.dropFirst()
      outputs.append(KerasTensor(try context.reshape(value, Array(shape[..<2]) + rest, open: 0, of: x.value)))
    }
    return outputs
  }
}

extension KerasContext {
  /// `x` under `shape`, whose extent `open` is left to be computed. Other extents that are no numbers are read at run time from
  /// `source`, which has them at the same axes.
  mutating func reshape(
    _ x: ValueID,
    _ shape: [Dim],
    open: Int,
    of source: ValueID? = nil
  ) throws(Diagnostic) -> ValueID {
    let isKnown = shape.enumerated().allSatisfy { $0.offset == open || $0.element.constant != nil }
    if isKnown {
      let numbers = shape.enumerated().map { $0.offset == open ? -1 : $0.element.constant! }
      // An extent of 0 stands for itself.
      var op = Reshape()
      op.allowZero = true
      return try emit(op, x, constant(ints: numbers, "shape"))
    }
    let given = try emit(Shape(dtype: .int32), source ?? x)
    let own = try emit(Shape(dtype: .int32), x)
    var parts: [ValueID] = []
    for (axis, extent) in shape.enumerated() {
      if axis == open {
        parts.append(constant(ints: [-1], "extent"))
      } else if let number = extent.constant {
        parts.append(constant(ints: [number], "extent"))
      } else {
        let isOfSource = fact(source ?? x).shape.indices.contains(axis) && fact(source ?? x).shape[axis] == extent
        let place = isOfSource ? axis : fact(x).shape.firstIndex(of: extent) ?? axis
        parts.append(try emit(Gather(axis: 0), isOfSource ? given : own, constant(ints: [place], "axis")))
      }
    }
    return try emit(Reshape(), x, try emit(Concat(axis: 0), all: [parts])[0])
  }
}
