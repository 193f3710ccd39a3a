import MLCCore
import MLCGraph
import MLCOps

/// Normalisation of channels by the statistics of training.
package struct KerasBatchNormalization: KerasLayer {
  package static let classNames = ["BatchNormalization"]
  package static let masks = KerasMaskRule.passes

  package static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] {
    try KerasLayerNormalization.scaleAndCenter(config)
      + [KerasWeight("moving_mean", trained: false), KerasWeight("moving_variance", trained: false)]
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let x = try call.input()
    let axes = try call.config.list("axis") ?? [-1]
    guard axes.count == 1 else {
      throw Diagnostic("keras.axis", "statistics along the axes \(axes) are not supported", kind: .unsupported)
    }
    let (rank, axis) = (context.rank(x), try context.axis(axes[0], x))
    guard rank >= 2, axis > 0 else { throw Diagnostic("keras.axis", "the axis \(axes[0]) is the batch") }
    if axis == rank - 1 {
      let y = try normalized(call, try context.channelsFirst(x), &context)
      return [KerasTensor(y, isChannelsFirst: rank > 2)]
    }
    let value = try context.plain(x)
    if axis == 1 { return [KerasTensor(try normalized(call, value, &context))] }
    var order = Array(0..<rank)
    order.swapAt(1, axis)
    let y = try normalized(call, try context.emit(Transpose(order), value), &context)
    return [KerasTensor(try context.emit(Transpose(order), y))]
  }

  private static func normalized(
    _ call: KerasCall,
    _ x: ValueID,
    _ context: inout KerasContext
  ) throws(Diagnostic) -> ValueID {
    let config = call.config
    let dtype = KerasLayerNormalization.weightType(x, context)
    var index = 0
    func next(_ context: inout KerasContext) throws(Diagnostic) -> ValueID {
      index += 1
      return try context.weight(index - 1, dtype, rank: 1)
    }
    let gamma = try config.bool("scale", default: true) ? try next(&context) : nil
    let beta = try config.bool("center", default: true) ? try next(&context) : nil
    let mean = try next(&context)
    let variance = try next(&context)
    return try context.emit(
      BatchNorm(epsilon: try config.number("epsilon", default: 1e-3)),
      x,
      mean,
      variance,
      gamma,
      beta
    )
  }
}

/// Normalisation of each example over some axes.
package struct KerasLayerNormalization: KerasLayer {
  package static let classNames = ["LayerNormalization"]
  package static let masks = KerasMaskRule.passes

  package static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] {
    if try config.bool("rms_scaling", default: false) {
      throw Diagnostic("keras.option", "rms_scaling is not supported", kind: .unsupported)
    }
    return try scaleAndCenter(config)
  }

  /// The weights of norms that learn a factor and an offset, by default both.
  static func scaleAndCenter(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] {
    (try config.bool("scale", default: true) ? [KerasWeight("gamma")] : [])
      + (try config.bool("center", default: true) ? [KerasWeight("beta")] : [])
  }

  /// Weights and statistics of norms keep more precision than data of 16 bits.
  static func weightType(_ x: ValueID, _ context: KerasContext) -> DType {
    context.fact(x).dtype == .float64 ? .float64 : .float32
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let x = try call.input()
    let value = try context.plain(x)
    let dtype = weightType(value, context)
    var axes: [Int] = []
    for axis in try call.config.list("axis") ?? [-1] { axes.append(try context.axis(axis, x)) }
    guard axes == axes.sorted(), Set(axes).count == axes.count else {
      throw Diagnostic("keras.axis", "the axes \(axes) are not in order", kind: .unsupported)
    }
    let hasScale = try call.config.bool("scale", default: true)
    let hasCenter = try call.config.bool("center", default: true)
    let op = LayerNorm(axes: axes, epsilon: try call.config.number("epsilon", default: 1e-3))
    let rank = context.fact(value).rank
    if context.isKeras2, context.fact(value).dtype.isHalf, op.epsilon >= 1.001e-5,
      axes == Array(rank - axes.count..<rank)
    {
      // Keras 2 applies factor and offset to what it has rounded, on its fast path.
      var y = try context.emit(op, value, nil, nil)
      let half = context.fact(value).dtype
      if hasScale { y = try context.emit(Mul(), y, try context.weight(0, half, rank: axes.count)) }
      if hasCenter { y = try context.emit(Add(), y, try context.weight(hasScale ? 1 : 0, half, rank: axes.count)) }
      return [KerasTensor(y)]
    }
    let gamma = hasScale ? try context.weight(0, dtype, rank: axes.count) : nil
    let beta = hasCenter ? try context.weight(hasScale ? 1 : 0, dtype, rank: axes.count) : nil
    return [KerasTensor(try context.emit(op, value, gamma, beta))]
  }
}

/// `x · scale + offset`, numbers or one for each channel.
package struct KerasRescaling: KerasLayer {
  package static let classNames = ["Rescaling"]
  package static let masks = KerasMaskRule.passes

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    var x = KerasTensor(try context.plain(try call.input()))
    let wanted = try call.config.computeType()
    if context.fact(x.value).dtype != wanted { x = try context.elementwise(Cast(wanted), x) }
    let scaled = try context.emit(Mul(), x.value, try factor(call.config, "scale", x, &context))
    return [KerasTensor(try context.emit(Add(), scaled, try factor(call.config, "offset", x, &context)))]
  }

  private static func factor(
    _ config: KerasConfig,
    _ key: String,
    _ x: KerasTensor,
    _ context: inout KerasContext
  ) throws(Diagnostic) -> ValueID {
    guard case .array(let items)? = config[key] else {
      return context.scalar(try config.number(key, default: key == "scale" ? nil : 0), like: x.value)
    }
    var numbers: [Double] = []
    for item in items { numbers.append(try KerasConfig([key: item]).number(key)) }
    return context.constant(Tensor(context.fact(x.value).dtype, [numbers.count], numbers), key)
  }
}
