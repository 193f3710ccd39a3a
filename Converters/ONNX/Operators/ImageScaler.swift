import MLCCore
import MLCGraph
import MLCOps

/// `ImageScaler` of models before ONNX 1.5, as onnxruntime reads it: `scale·x`, plus one number of `bias` for each
/// channel of `x: [N, C, H, W]`.
package enum ONNXImageScaler: ONNXOperator {
  package static let types = ["ImageScaler"]
  package static var note: String { "of models before ONNX 1.5" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let fact = context.fact(x)
    guard let bias = try node.floats("bias"), fact.rank == 4, fact.dtype.isFloat,
      ONNXContext.fits(fact.shape[1], Dim(bias.count))
    else { throw Diagnostic("onnx.experimental", "'bias' has no number for each channel of \(fact.type)") }
    let numbers = context.constant(Tensor(fact.dtype, [bias.count, 1, 1], bias.map { Double($0) }), "bias")
    let scaled = try context.scaled(x, by: Double(try node.float("scale", default: 1)))
    return [try context.emit(Add(), scaled, numbers)]
  }
}
