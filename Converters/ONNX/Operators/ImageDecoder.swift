import MLCCore
import MLCGraph
import MLCOps

/// ONNX `ImageDecoder` → `decode_image`.
package enum ONNXImageDecoder: ONNXOperator {
  package static let types = ["ImageDecoder"]
  package static let sinceOpset = 20
  package static var operation: String? { "decode_image" }
  package static var note: String { "PNG, JPEG, BMP, PNM; by the interpreter alone" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let format = try node.string("pixel_format", default: "RGB")
    return [try context.emit(DecodeImage(pixelFormat: format), try context.required(0))]
  }
}
