import MLCCore
import MLCGraph
import MLCOps

/// ONNX `SpaceToDepth` → `space_to_depth` in mode DCR, `pixel_unshuffle` in mode CRD (version 28).
package enum ONNXSpaceToDepth: ONNXOperator {
  package static let types = ["SpaceToDepth"]
  package static var operation: String? { "space_to_depth" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    guard let block = try node.int("blocksize") else { throw Diagnostic("onnx.space-to-depth", "blocksize is missing") }
    let x = try context.required(0)
    switch try node.string("mode", default: "DCR") {
    case "DCR": return [try context.emit(SpaceToDepth(block: block), x)]
    case "CRD": return [try context.emit(PixelUnshuffle(block: block), x)]
    case let other: throw Diagnostic("onnx.space-to-depth", "mode is '\(other)'")
    }
  }
}
