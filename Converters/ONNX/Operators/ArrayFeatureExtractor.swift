import MLCCore
import MLCGraph
import MLCOps

/// ONNX `ArrayFeatureExtractor`: the features of x, along its last axis, that the second input names by number; of one
/// row of rank 1 a matrix.
package enum ONNXArrayFeatureExtractor: ONNXMachineLearning {
  package static let types = ["ArrayFeatureExtractor"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    var (x, places) = (try context.required(0), try context.required(1))
    guard context.fact(x).rank > 0 else { throw Diagnostic("onnx.features", "a scalar has no features") }
    if context.fact(x).rank == 1 { x = try context.emit(ExpandDims([0]), x) }
    if context.fact(places).rank != 1 {
      places = try context.emit(Reshape(), places, context.constant(ints: [-1], "list"))
    }
    return [try context.emit(Gather(axis: context.fact(x).rank - 1), x, places)]
  }
}
