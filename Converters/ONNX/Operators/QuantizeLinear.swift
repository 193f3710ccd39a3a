import MLCCore
import MLCGraph
import MLCOps

/// ONNX `QuantizeLinear`, `saturate(round(x / scale) + zero point)`, → `real_div`, `round`, `add`, `clip`, `cast`. The
/// result has the type of the zero point, else `output_dtype`, else `uint8`; `saturate` concerns floats of eight bits.
package enum ONNXQuantizeLinear: ONNXOperator {
  package static let types = ["QuantizeLinear"]
  package static var sinceOpset: Int { 10 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let form = try context.quantization(node, of: x)
    let zeroType = form.zeroPoint.map { context.fact($0).dtype }
    let asked = try type("output_dtype", of: node)
    guard asked == nil || zeroType == nil || asked == zeroType else {
      throw Diagnostic("onnx.quantization", "the zero point is \(zeroType!.rawValue), output_dtype \(asked!.rawValue)")
    }
    let dtype = zeroType ?? asked ?? .uint8
    let (precision, saturates) = (try type("precision", of: node), try node.int("saturate", default: 1) != 0)
    return [try context.quantized(x, form, to: dtype, precision: precision, saturates: saturates)]
  }

  /// The type that an attribute names; 0 names none.
  static func type(_ attribute: String, of node: ONNXNode) throws(Diagnostic) -> DType? {
    let code = try node.int(attribute, default: 0)
    return code == 0 ? nil : try ONNXDataType.dtype(code)
  }
}
