import MLCCore
import MLCGraph
import MLCOps

/// ONNX `LpNormalization`: `x` by its norm of order 1 or 2 along `axis`; 0 where that is 0.
package enum ONNXLpNormalization: ONNXOperator {
  package static let types = ["LpNormalization"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let axis = try node.int("axis", default: -1)
    let norm: ValueID
    switch try node.int("p", default: 2) {
    case 1: norm = try context.emit(ReduceL1Norm(axes: [axis], keepDims: true), x)
    case 2: norm = try context.emit(ReduceL2Norm(axes: [axis], keepDims: true), x)
    case let p: throw Diagnostic("onnx.norm-order", "LpNormalization has no order \(p)")
    }
    let isZero = try context.emit(Equal(), norm, try context.number(0, like: x))
    return [try context.emit(RealDiv(), x, try context.emit(Select(), isZero, try context.number(1, like: x), norm))]
  }
}
