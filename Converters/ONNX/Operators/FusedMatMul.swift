import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `FusedMatMul`, `alpha · A′·B′` → `matmul`, `mul`. `transBatchA` moves the first axis of A behind the
/// other leading ones, `transA` then exchanges the last two; vectors have neither.
package enum ONNXFusedMatMul: ONNXMicrosoftOperator {
  package static let types = ["FusedMatMul"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let a = try turned(try context.required(0), try node.flag("transBatchA"), in: &context)
    let b = try turned(try context.required(1), try node.flag("transBatchB"), in: &context)
    let op = MatMul(transposeX: try node.flag("transA"), transposeY: try node.flag("transB"))
    let y = try context.emit(op, a, b)
    let alpha = Double(try node.float("alpha", default: 1))
    return [
      alpha == 1 ? y : try context.emit(Mul(), y, try context.constant(alpha, context.fact(y).dtype, "alpha"))
    ]
  }

  private static func turned(_ x: ValueID, _ turns: Bool, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    let rank = context.fact(x).rank
    guard turns, rank > 2 else { return x }
    return try context.emit(Transpose(Array(1..<rank - 1) + [0, rank - 1]), x)
  }
}
