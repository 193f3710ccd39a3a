import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `QLinearConcat`: scale and zero point of the result, then tensor, scale and zero point of each part,
/// which are put under those of the result and joined by `concat`.
package enum ONNXQLinearConcat: ONNXMicrosoftOperator {
  package static let types = ["QLinearConcat"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    guard let axis = try node.int("axis") else { throw Diagnostic("onnx.concat", "attribute 'axis' is missing") }
    let dtype = context.fact(try context.required(1)).dtype
    var parts: [ValueID] = []
    for index in stride(from: 2, to: node.inputs.count, by: 3) {
      parts.append(try context.quantizedResult(try context.dequantizedInput(index), scale: 0, as: dtype))
    }
    return try context.emit(Concat(axis: axis), all: [parts])
  }
}
