import MLCCore
import MLCGraph
import MLCOps

/// ONNX `PRelu` → `prelu`. Before operator set 7 a vector of slopes has one for each channel, axis 1.
package enum ONNXPRelu: ONNXOperator {
  package static let types = ["PRelu"]
  package static var operation: String? { "prelu" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (x, slope) = (try context.required(0), try context.required(1))
    let (rank, shape) = (context.fact(x).rank, context.fact(slope).shape)
    if context.opset < 7, shape.count == 1, shape != [1], rank > 2 {
      return [try context.emit(Prelu(), x, try context.emit(ExpandDims(Array(1..<rank - 1)), slope))]
    }
    return [try context.emit(Prelu(), x, slope)]
  }
}
