import MLCCore
import MLCGraph
import MLCOps

/// ONNX `MeanVarianceNormalization`: `(x − mean) / (√variance + 1e-9)` over `axes`, `[0, 2, 3]` by default.
///
/// Before operator set 9 the axes are those behind the channels, with `across_channels` the channels too, and with
/// `normalize_variance` 0 the result is `x − mean`.
package enum ONNXMeanVarianceNormalization: ONNXOperator {
  package static let types = ["MeanVarianceNormalization"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    var axes = try node.ints("axes") ?? [0, 2, 3]
    if context.opset < 9 {
      let first = try node.flag("across_channels") ? 1 : 2
      guard context.fact(x).rank > first else {
        throw Diagnostic("onnx.global-pool", "\(context.fact(x).type) has no places")
      }
      axes = Array(first..<context.fact(x).rank)
    }
    let mean = ReduceMean(axes: axes, keepDims: true)
    let centred = try context.emit(Sub(), x, try context.emit(mean, x))
    if context.opset < 9, try !node.flag("normalize_variance", default: true) { return [centred] }
    let variance = try context.emit(mean, try context.emit(Mul(), centred, centred))
    let small = try context.number(1e-9, like: x)
    return [try context.emit(RealDiv(), centred, try context.emit(Add(), try context.emit(Sqrt(), variance), small))]
  }
}
