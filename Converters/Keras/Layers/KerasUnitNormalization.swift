import MLCCore
import MLCGraph
import MLCOps

/// Each vector along the axes divided by its length.
package struct KerasUnitNormalization: KerasLayer {
  package static let classNames = ["UnitNormalization"]
  package static let masks = KerasMaskRule.passes

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let x = try call.input()
    var axes: [Int] = []
    for axis in try call.config.list("axis") ?? [-1] { axes.append(try context.physicalAxis(axis, x)) }
    let y = try context.unitLength(x.value, axes, floor: context.isKeras2 ? 1e-12 : 1e-24)
    return [KerasTensor(y, isChannelsFirst: x.isChannelsFirst)]
  }
}

/// `x / √(mean x² + epsilon) · scale` along the last axis. Along others Keras multiplies by a scale that does not lie
/// there.
package struct KerasRMSNormalization: KerasLayer {
  package static let classNames = ["RMSNormalization"]
  package static let masks = KerasMaskRule.passes

  package static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] { [KerasWeight("scale")] }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let value = try context.plain(try call.input())
    let axes = try call.config.list("axis") ?? [-1]
    guard axes.count == 1, [-1, context.fact(value).rank - 1].contains(axes[0]) else {
      throw Diagnostic("keras.axis", "means over the axes \(axes) are not supported", kind: .unsupported)
    }
    let epsilon = try call.config.number("epsilon", default: 1e-6)
    let y = try context.inFloat32(value) { (context, x) throws(Diagnostic) in
      let mean = try context.emit(ReduceMean(axes: [-1], keepDims: true), try context.emit(Mul(), x, x))
      let size = try context.emit(Sqrt(), try context.emit(Add(), mean, context.scalar(epsilon, like: mean)))
      let scale = try context.weight(0, context.fact(x).dtype, rank: 1)
      return try context.emit(Mul(), try context.emit(RealDiv(), x, size), scale)
    }
    return [KerasTensor(y)]
  }
}

extension KerasContext {
  /// `x` divided by its length along `axes`, whose square is at least `floor`.
  mutating func unitLength(_ x: ValueID, _ axes: [Int], floor: Double) throws(Diagnostic) -> ValueID {
    let sum = try emit(ReduceSumSquare(axes: axes, keepDims: true), x)
    let floored = try emit(Maximum(), sum, scalar(floor, like: sum))
    return try emit(RealDiv(), x, try emit(Sqrt(), floored))
  }

  /// What `body` makes of `x` in at least float32, in the element type of `x`: norms of 16 bits are computed so.
  mutating func inFloat32(
    _ x: ValueID,
    _ body: (inout KerasContext, ValueID) throws(Diagnostic) -> ValueID
  ) throws(Diagnostic) -> ValueID {
    let dtype = fact(x).dtype
    guard dtype.isHalf else { return try body(&self, x) }
    return try emit(Cast(dtype), try body(&self, try emit(Cast(.float32), x)))
  }
}
