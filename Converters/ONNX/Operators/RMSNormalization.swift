import MLCCore
import MLCGraph
import MLCOps

/// ONNX `RMSNormalization`, `x / √(mean x² + epsilon) · scale`, the mean over the axes from `axis` on, step by step. The
/// quotient is computed in float32 unless `stash_type` says otherwise.
package enum ONNXRMSNormalization: ONNXOperator {
  package static let types = ["RMSNormalization"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (x, scale) = (try context.required(0), try context.required(1))
    let fact = context.fact(x)
    let axis = try normalized(axis: try node.int("axis", default: -1), rank: fact.rank, "rms_normalization")
    let inner = try ONNXDataType.dtype(try node.int("stash_type", default: 1))
    let wide = try context.cast(x, to: fact.dtype == .float64 ? .float64 : inner)
    let squares = try context.emit(Mul(), wide, wide)
    let mean = try context.emit(ReduceMean(axes: Array(axis..<fact.rank), keepDims: true), squares)
    let epsilon = try context.number(Double(try node.float("epsilon", default: 1e-5)), like: wide)
    let root = try context.emit(Sqrt(), try context.emit(Add(), mean, epsilon))
    let y = try context.cast(try context.emit(RealDiv(), wide, root), to: context.fact(scale).dtype)
    return [try context.emit(Mul(), y, scale)]
  }
}
