import MLCCore
import MLCGraph
import MLCOps

/// `Activation`: a function by its name.
package struct KerasActivationLayer: KerasLayer {
  package static let classNames = ["Activation"]
  package static let masks = KerasMaskRule.passes

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    [try KerasActivation(call.config, "activation").apply(to: try call.input(), in: &context)]
  }
}

/// `min(x, max_value)` where `x > threshold` (and x > 0 without one), else `negative_slope·(x − threshold)`.
package struct KerasReLU: KerasLayer {
  package static let classNames = ["ReLU"]
  package static let masks = KerasMaskRule.passes

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    var x = try call.input()
    let slope = try call.config.optionalNumber("negative_slope") ?? 0
    let limit = try call.config.optionalNumber("max_value")
    let threshold = try call.config.optionalNumber("threshold") ?? 0
    let bound = limit ?? .infinity
    if threshold == 0 {
      if slope != 0 {
        x = try context.elementwise(LeakyRelu(alpha: slope), x)
        if limit != nil { x = try context.elementwise(Clip(alpha: -.infinity, beta: bound), x) }
        return [x]
      }
      let op: any Operator =
        if limit == nil { Relu() } else if limit == 6 { Relu6() } else { Clip(alpha: 0, beta: bound) }
      return [try context.elementwise(op, x)]
    }
    let edge = context.scalar(threshold, like: x.value)
    let isAbove = try context.emit(Greater(), x.value, edge)
    var y = try context.emit(Select(), isAbove, x.value, context.scalar(0, like: x.value))
    if limit != nil { y = try context.emit(Clip(alpha: 0, beta: bound), y) }
    if slope != 0 {
      let below = try context.emit(Relu(), try context.emit(Sub(), edge, x.value))
      y = try context.emit(Sub(), y, try context.emit(Mul(), below, context.scalar(slope, like: x.value)))
    }
    x.value = y
    return [x]
  }
}

/// `x` where `x ≥ 0`, else `alpha·x`; `negative_slope` to Keras 3.
package struct KerasLeakyReLU: KerasLayer {
  package static let classNames = ["LeakyReLU"]
  package static let masks = KerasMaskRule.passes

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let slope = try call.config.number(call.config["alpha"] == nil ? "negative_slope" : "alpha", default: 0.3)
    return [try context.elementwise(LeakyRelu(alpha: slope), try call.input())]
  }
}

/// `x` where `x ≥ 0`, else `alpha·(exp(x) − 1)`.
package struct KerasELU: KerasLayer {
  package static let classNames = ["ELU"]
  package static let masks = KerasMaskRule.passes

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    [try context.elementwise(Elu(alpha: try call.config.number("alpha", default: 1)), try call.input())]
  }
}

/// `x` where `x ≥ 0`, else `alpha·x`, alpha learned for each element, or one along `shared_axes`.
package struct KerasPReLU: KerasLayer {
  package static let classNames = ["PReLU"]
  package static let masks = KerasMaskRule.passes

  package static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] { [KerasWeight("alpha")] }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let x = try call.input()
    let value = try context.plain(x)
    let alpha = try context.weight(0, context.fact(value).dtype, rank: context.fact(value).rank - 1)
    return [KerasTensor(try context.emit(Prelu(), value, alpha))]
  }
}

/// Softmax along one axis or several.
package struct KerasSoftmax: KerasLayer {
  package static let classNames = ["Softmax"]
  package static let masks = KerasMaskRule.uses

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let x = try call.input()
    guard x.mask == nil, call.inputs.count == 1, call.keywords.isEmpty else { throw Diagnostic.mask(call) }
    let axes = try call.config.list("axis") ?? [-1]
    if axes.count == 1 {
      return [try context.elementwise(Softmax(axis: try context.physicalAxis(axes[0], x)), x)]
    }
    var physical: [Int] = []
    for axis in axes { physical.append(try context.physicalAxis(axis, x)) }
    let largest = try context.emit(ReduceMax(axes: physical, keepDims: true), x.value)
    let powers = try context.emit(Exp(), try context.emit(Sub(), x.value, largest))
    let sum = try context.emit(ReduceSum(axes: physical, keepDims: true), powers)
    return [KerasTensor(try context.emit(RealDiv(), powers, sum), isChannelsFirst: x.isChannelsFirst)]
  }
}

/// `x` where `x > theta`, else 0.
package struct KerasThresholdedReLU: KerasLayer {
  package static let classNames = ["ThresholdedReLU"]
  package static let masks = KerasMaskRule.passes

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    [try context.elementwise(ThresholdedRelu(alpha: try call.config.number("theta", default: 1)), try call.input())]
  }
}

extension Diagnostic {
  /// A mask reaches a layer that would have to compute with it, and mlc does not.
  static func mask(_ call: KerasCall) -> Diagnostic {
    Diagnostic(
      "keras.mask",
      "a mask reaches \(call.layer.className), which mlc does not compute with one",
      kind: .unsupported
    )
  }
}
