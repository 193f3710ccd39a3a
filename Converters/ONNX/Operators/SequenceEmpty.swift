import MLCCore
import MLCGraph

/// ONNX `SequenceEmpty`: a sequence of none, of the element type `dtype`, float32 where that is left out.
package enum ONNXSequenceEmpty: ONNXValueOperator {
  package static let types = ["SequenceEmpty"]
  package static let sinceOpset = 11

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ONNXValue] {
    let code = try node.int("dtype", default: 1)
    guard let dtype = DType(onnx: code) else {
      let name = DType.unsupportedONNXName(code)
      throw Diagnostic("onnx.dtype", "mlc has no element type \(name)", kind: .unsupported)
    }
    return [.sequence(.list([], dtype))]
  }
}
