import MLCCore
import MLCGraph
import MLCOps

/// ONNX `MeanVarianceNormalization`: `(x − mean) / (√variance + 1e-9)` over `axes`, `[0, 2, 3]` by default.
package enum ONNXMeanVarianceNormalization: ONNXOperator {
  package static let types = ["MeanVarianceNormalization"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let mean = ReduceMean(axes: try node.ints("axes") ?? [0, 2, 3], keepDims: true)
    let centred = try context.emit(Sub(), x, try context.emit(mean, x))
    let variance = try context.emit(mean, try context.emit(Mul(), centred, centred))
    let small = try context.number(1e-9, like: x)
    return [try context.emit(RealDiv(), centred, try context.emit(Add(), try context.emit(Sqrt(), variance), small))]
  }
}
