import MLCCore
import MLCGraph
import MLCOps

/// `SimplifiedLayerNormalization`, which exporters for onnxruntime write into the standard domain: normalisation by the
/// root of the mean square over the axes from `axis` on. Its second output is the factor.
package enum ONNXSimplifiedLayerNormalization: ONNXOperator {
  package static let types = ["SimplifiedLayerNormalization"]
  package static var sinceOpset: Int { 1 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let rank = context.fact(x).rank
    let axis = try normalized(axis: try node.int("axis", default: -1), rank: rank, "layer_norm")
    let epsilon = Double(try node.float("epsilon", default: 1e-5))
    let scale = try context.required(1)
    let (y, inverse) = try context.rootMeanSquareNormalized(x, Array(axis..<rank), epsilon, scale: scale)
    return [y, inverse]
  }
}
