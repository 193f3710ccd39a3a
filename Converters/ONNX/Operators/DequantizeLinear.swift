import MLCCore
import MLCGraph
import MLCOps

/// ONNX `DequantizeLinear`, `(x − zero point) · scale`, → `cast`, `sub`, `mul`.
package enum ONNXDequantizeLinear: ONNXOperator {
  package static let types = ["DequantizeLinear"]
  package static var sinceOpset: Int { 10 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let form = try context.quantization(node, of: x)
    return [try context.dequantized(x, form, as: try ONNXQuantizeLinear.type("output_dtype", of: node))]
  }
}
