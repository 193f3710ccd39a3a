import MLCCore
import MLCGraph
import MLCOps

/// `ParametricSoftplus`, `alpha·ln(1 + exp(beta·x))`, and `ScaledTanh`, `alpha·tanh(beta·x)`, of models before ONNX
/// 1.5, as onnxruntime reads them.
package enum ONNXParametricSoftplus: ONNXOperator {
  package static let types = ["ParametricSoftplus", "ScaledTanh"]
  package static var note: String { "of models before ONNX 1.5" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    guard let alpha = try node.float("alpha"), let beta = try node.float("beta"), context.fact(x).dtype.isFloat else {
      throw Diagnostic("onnx.experimental", "\(node.opType) takes floats, and needs 'alpha' and 'beta'")
    }
    let inner = try context.scaled(x, by: Double(beta))
    let y = try node.opType == "ScaledTanh" ? context.emit(Tanh(), inner) : context.emit(Softplus(), inner)
    return [try context.scaled(y, by: Double(alpha))]
  }
}
