import MLCCore
import MLCGraph
import MLCOps

/// ONNX `ConvInteger` → `conv` of data and weight without their zero points, exact, as `int32`.
package enum ONNXConvInteger: ONNXOperator {
  package static let types = ["ConvInteger"]
  package static var sinceOpset: Int { 10 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (x, weight) = (try context.required(0), try context.required(1))
    let zeroX = context.input(2) == nil ? nil : try context.number(2)
    let zeroW = try context.input(3).map { zero throws(Diagnostic) in
      try context.spread(zero, over: weight, axis: 0)
    }
    return [try ONNXIntegerConvolution.sums(node, x, zeroX, weight, zeroW, in: &context)]
  }
}
