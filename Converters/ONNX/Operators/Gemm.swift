import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Gemm`, `alpha·A′·B′ + beta·C`, → `linear` when B′ᵀ is a constant and C a vector over the columns, otherwise
/// `matmul`, `mul` and `add`.
package enum ONNXGemm: ONNXOperator {
  package static let types = ["Gemm"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (a, b) = (try context.required(0), try context.required(1))
    for value in [a, b] where context.fact(value).rank != 2 {
      throw Diagnostic("onnx.gemm", "\(context.fact(value).type) is no matrix")
    }
    let (alpha, beta) = (Double(try node.float("alpha", default: 1)), Double(try node.float("beta", default: 1)))
    let (transA, transB) = (try node.flag("transA"), try node.flag("transB"))
    let c = context.input(2)
    let plain = alpha == 1 && (beta == 1 || c == nil) && !transA && context.fact(a).dtype.isFloat
    if plain, context.fact(b).value != nil {
      let columns = context.fact(b).shape[transB ? 0 : 1]
      if c == nil || context.fact(c!).shape == [columns] {
        let weight = transB ? b : try context.emit(Transpose([1, 0]), b)
        return [try context.emit(Linear(), a, weight, c)]
      }
    }
    var y = try context.emit(MatMul(transposeX: transA, transposeY: transB), a, b)
    y = try scaled(y, alpha, in: &context)
    guard let c else { return [y] }
    return [try context.emit(Add(), y, try scaled(c, beta, in: &context))]
  }

  private static func scaled(_ x: ValueID, _ factor: Double, in context: inout ONNXContext) throws(Diagnostic)
    -> ValueID
  {
    if factor == 1 { return x }
    let dtype = context.fact(x).dtype
    guard dtype.isFloat || factor == factor.rounded() else {
      throw Diagnostic("onnx.gemm", "a factor of \(factor) on \(dtype.rawValue) elements", kind: .unsupported)
    }
    return try context.emit(Mul(), x, try context.constant(factor, dtype, "factor"))
  }
}
