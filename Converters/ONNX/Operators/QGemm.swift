import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `QGemm`, `alpha · a_scale · b_scale · (A′·B′ + C)`, A′ and B′ without zero points and transposed as
/// asked, sums and C being `int32` → `matmul`, `add`, `mul`. With `y_scale` the result is quantised, else float32.
package enum ONNXQGemm: ONNXMicrosoftOperator {
  package static let types = ["QGemm"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (a, b) = (try context.required(0), try context.required(3))
    for value in [a, b] where context.fact(value).rank != 2 {
      throw Diagnostic("onnx.gemm", "\(context.fact(value).type) is no matrix")
    }
    let (transA, transB) = (try node.flag("transA"), try node.flag("transB"))
    let zeroB = try context.spread(try context.required(5), over: b, axis: transB ? 0 : 1)
    let op = MatMul(transposeX: transA, transposeY: transB)
    var sums = try context.integerProduct(a, try context.number(2), b, zeroB, op)
    if let c = context.input(6) {
      guard context.fact(c).dtype == .int32 else {
        throw Diagnostic("onnx.quantization", "C is \(context.fact(c).type), expected int32")
      }
      sums = try context.emit(Add(), sums, c)
    }
    let scaleB = try context.spread(try context.required(4), over: sums, axis: 1)
    var factor = try context.emit(Mul(), try context.number(1), scaleB)
    let alpha = Double(try node.float("alpha", default: 1))
    if alpha != 1 { factor = try context.emit(Mul(), factor, try context.constant(alpha, .float32, "alpha")) }
    guard context.input(7) != nil else {
      return [try context.emit(Mul(), try context.cast(sums, to: .float32), try context.cast(factor, to: .float32))]
    }
    let ratio = try context.emit(RealDiv(), factor, try context.number(7))
    return [try context.requantized(sums, ratio, try context.number(8))]
  }
}
