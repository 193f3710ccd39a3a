import MLCCore
import MLCGraph
import MLCOps

/// ONNX `DynamicQuantizeLinear`: `x` in `uint8`, with the scale and the zero point under which its least and greatest
/// element and 0 have numbers. Where all elements are 0 the scale is 1.
package enum ONNXDynamicQuantizeLinear: ONNXOperator {
  package static let types = ["DynamicQuantizeLinear"]
  package static var sinceOpset: Int { 11 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let form = try measured(x, in: &context)
    return [try context.quantized(x, form, to: .uint8), form.scale, form.zeroPoint!]
  }

  /// Scale and zero point for `x`, float32.
  static func measured(_ x: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ONNXQuantization {
    guard context.fact(x).dtype == .float32 else {
      throw Diagnostic("onnx.quantization", "the data is \(context.fact(x).type), expected float32")
    }
    let zero = context.constant(.scalar(.float32, 0.0), "zero")
    let axes = Array(0..<context.fact(x).rank)
    let least = axes.isEmpty ? x : try context.emit(ReduceMin(axes: axes), x)
    let greatest = axes.isEmpty ? x : try context.emit(ReduceMax(axes: axes), x)
    let low = try context.emit(Minimum(), least, zero)
    let width = try context.emit(Sub(), try context.emit(Maximum(), greatest, zero), low)
    let step = try context.emit(RealDiv(), width, context.constant(.scalar(.float32, 255.0), "steps"))
    let one = context.constant(.scalar(.float32, 1.0), "one")
    let isEmpty = try context.emit(Equal(), width, zero)
    let scale = try context.emit(Select(), isEmpty, one, step, output: 1)
    let place = try context.emit(Sub(), zero, try context.emit(RealDiv(), low, scale))
    let zeroPoint = try context.emit(Round(), try context.emit(Clip(alpha: 0, beta: 255), place))
    return ONNXQuantization(scale: scale, zeroPoint: try context.emit(Cast(.uint8), zeroPoint, output: 2))
  }
}
