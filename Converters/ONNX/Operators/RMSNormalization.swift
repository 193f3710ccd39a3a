import MLCCore
import MLCGraph
import MLCOps

/// ONNX `RMSNormalization`, `x / √(mean x² + epsilon) · scale`, the mean over the axes from `axis` on, step by step in
/// float32 at least: a narrower `stash_type` asks for less than that.
package enum ONNXRMSNormalization: ONNXOperator {
  package static let types = ["RMSNormalization"]
  package static var sinceOpset: Int { 23 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (x, scale) = (try context.required(0), try context.required(1))
    let rank = context.fact(x).rank
    let axis = try normalized(axis: try node.int("axis", default: -1), rank: rank, "rms_normalization")
    let epsilon = Double(try node.float("epsilon", default: 1e-5))
    return [try context.rootMeanSquareNormalized(x, Array(axis..<rank), epsilon, scale: scale).y]
  }
}
