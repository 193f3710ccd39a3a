import MLCCore
import MLCGraph
import MLCOps

/// ONNX `DequantizeLinear`, `(x − zero point) · scale`, → `cast`, `sub`, `mul`.
package enum ONNXDequantizeLinear: ONNXOperator {
  package static let types = ["DequantizeLinear"]
  package static var sinceOpset: Int { 10 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let form = try context.quantization(
      scale: 1,
      zeroPoint: 2,
      of: x,
      axis: context.fact(x).rank == 1 ? 0 : try node.int("axis", default: 1),
      block: try node.int("block_size", default: 0)
    )
    return [try context.dequantized(x, form, as: try ONNXQuantizeLinear.type("output_dtype", of: node))]
  }
}
