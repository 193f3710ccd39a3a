import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `CDist`: the distance of each row of `a: [m, k]` from each of `b: [n, k]`, `[m, n]`, `euclidean` or,
/// its square, `sqeuclidean`.
package enum ONNXCDist: ONNXMicrosoftOperator {
  package static let types = ["CDist"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (a, b) = (try context.required(0), try context.required(1))
    let metric = try node.string("metric", default: "sqeuclidean")
    guard ["euclidean", "sqeuclidean"].contains(metric), context.fact(a).rank == 2, context.fact(b).rank == 2,
      context.fact(a).dtype.isFloat
    else {
      let types = "\(context.fact(a).type) and \(context.fact(b).type)"
      throw Diagnostic("onnx.distance", "the distance '\(metric)' of \(types)", kind: .unsupported)
    }
    let left = try context.emit(ExpandDims([1]), a)
    let difference = try context.emit(Sub(), left, try context.emit(ExpandDims([0]), b))
    let squares = try context.emit(ReduceSumSquare(axes: [2]), difference)
    return [metric == "euclidean" ? try context.emit(Sqrt(), squares) : squares]
  }
}
