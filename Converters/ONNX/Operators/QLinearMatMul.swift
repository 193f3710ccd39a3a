import MLCCore
import MLCGraph
import MLCOps

/// ONNX `QLinearMatMul` → `matmul` in `int32`, whose sums are scaled by `a_scale · b_scale / y_scale` and rounded.
package enum ONNXQLinearMatMul: ONNXOperator {
  package static let types = ["QLinearMatMul"]
  package static var sinceOpset: Int { 10 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (a, b) = (try context.required(0), try context.required(3))
    let left = try context.quantization(scale: 1, zeroPoint: 2, of: a, axis: -2)
    let right = try context.quantization(scale: 4, zeroPoint: 5, of: b, axis: -1)
    let (scale, zero) = (try context.number(6), try context.number(7))
    let sums = try context.integerProduct(a, left.zeroPoint, b, right.zeroPoint)
    let product = try context.emit(Mul(), left.scale, right.scale)
    return [try context.requantized(sums, try context.emit(RealDiv(), product, scale), zero)]
  }
}
