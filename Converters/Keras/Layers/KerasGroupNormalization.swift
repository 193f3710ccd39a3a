import MLCCore
import MLCGraph
import MLCOps

/// Normalisation of each example over groups of its channels; −1 groups are as many as there are channels.
package struct KerasGroupNormalization: KerasLayer {
  package static let classNames = ["GroupNormalization"]
  package static let masks = KerasMaskRule.passes

  package static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] {
    try KerasLayerNormalization.scaleAndCenter(config)
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let x = try call.input()
    let (rank, axis) = (context.rank(x), try call.config["axis"] == nil ? -1 : call.config.int("axis"))
    guard rank >= 2, [1, rank - 1].contains(try context.axis(axis, x)) else {
      throw Diagnostic("keras.axis", "groups along the axis \(axis) are not supported", kind: .unsupported)
    }
    let isLast = try context.axis(axis, x) == rank - 1
    let value = isLast ? try context.channelsFirst(x) : try context.plain(x)
    let y = try context.inFloat32(value) { (context, x) throws(Diagnostic) in
      try normalized(call.config, x, &context)
    }
    return [KerasTensor(y, isChannelsFirst: isLast && rank > 2)]
  }

  /// `x` has its channels behind the batch.
  private static func normalized(
    _ config: KerasConfig,
    _ x: ValueID,
    _ context: inout KerasContext
  ) throws(Diagnostic) -> ValueID {
    let (shape, dtype) = (context.fact(x).shape, context.fact(x).dtype)
    let given = try config["groups"] == nil ? 32 : config.int("groups")
    guard let channels = shape[1].constant, channels > 0, case let groups = given == -1 ? channels : given, groups > 0,
      channels.isMultiple(of: groups)
    else { throw Diagnostic("keras.weights", "\(shape[1]) channels do not divide into \(given) groups") }
    let parts = try context.emit(Reshape(), x, context.constant(ints: [0, groups, -1], "shape"))
    let standard = try context.emit(InstanceNorm(epsilon: try config.number("epsilon", default: 1e-3)), parts)
    var y = try context.reshape(standard, shape, sources: [x])
    var next = 0
    for (key, op) in [("scale", Mul() as any Operator), ("center", Add())] where try config.bool(key, default: true) {
      let vector = try context.weight(next, dtype, rank: 1)
      let column = shape.count == 2 ? vector : try context.emit(ExpandDims(Array(1...shape.count - 2)), vector)
      y = try context.emit(op, y, column)
      next += 1
    }
    return y
  }
}
