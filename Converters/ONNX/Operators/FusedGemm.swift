import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `FusedGemm`: `Gemm` and the activation.
package enum ONNXFusedGemm: ONNXMicrosoftOperator {
  package static let types = ["FusedGemm"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let parameters = [try node.float("activation_alpha"), try node.float("activation_beta")]
    let activation = try ONNXFusedActivation.op(try node.string("activation", default: ""), parameters)
    let y = try ONNXGemm.convert(node, in: &context)[0]
    return [try activation.map { op throws(Diagnostic) in try context.emit(op, y) } ?? y]
  }
}
