import MLCCore
import MLCGraph
import MLCOps

/// `Affine`, `alpha·x + beta`, and `Scale`, `scale·x`, of models before ONNX 1.5, as onnxruntime reads them.
package enum ONNXAffine: ONNXOperator {
  package static let types = ["Affine", "Scale"]
  package static var note: String { "of models before ONNX 1.5" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    guard context.fact(x).dtype.isFloat else {
      throw Diagnostic("onnx.experimental", "\(node.opType) takes floats, not \(context.fact(x).type)")
    }
    let isScale = node.opType == "Scale"
    let factor = Double(try node.float(isScale ? "scale" : "alpha", default: 1))
    let amount = isScale ? 0 : Double(try node.float("beta", default: 0))
    return [try context.raised(try context.scaled(x, by: factor), by: amount)]
  }
}
