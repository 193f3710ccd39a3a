import MLCCore
import MLCGraph
import MLCOps

/// ONNX `DepthToSpace` → `depth_to_space` in mode DCR, `pixel_shuffle` in mode CRD.
package enum ONNXDepthToSpace: ONNXOperator {
  package static let types = ["DepthToSpace"]
  package static var operation: String? { "depth_to_space" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    guard let block = try node.int("blocksize") else { throw Diagnostic("onnx.depth-to-space", "blocksize is missing") }
    let x = try context.required(0)
    switch try node.string("mode", default: "DCR") {
    case "DCR": return [try context.emit(DepthToSpace(block: block), x)]
    case "CRD": return [try context.emit(PixelShuffle(block: block), x)]
    case let other: throw Diagnostic("onnx.depth-to-space", "mode is '\(other)'")
    }
  }
}
