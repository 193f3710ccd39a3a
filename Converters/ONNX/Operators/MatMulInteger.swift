import MLCCore
import MLCGraph
import MLCOps

/// ONNX `MatMulInteger` → `matmul` of what is left of both matrices without their zero points, in `int32`, wrapping.
package enum ONNXMatMulInteger: ONNXOperator {
  package static let types = ["MatMulInteger"]
  package static var sinceOpset: Int { 10 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (a, b) = (try context.required(0), try context.required(1))
    let zeroA = try context.input(2).map { zero throws(Diagnostic) in try context.spread(zero, over: a, axis: -2) }
    let zeroB = try context.input(3).map { zero throws(Diagnostic) in try context.spread(zero, over: b, axis: -1) }
    return [try context.integerProduct(a, zeroA, b, zeroB)]
  }
}
