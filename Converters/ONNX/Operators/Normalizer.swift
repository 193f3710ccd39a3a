import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Normalizer`: each row by its greatest element, or by its norm of order 1 or 2; fp32, and as it is where that
/// is 0.
package enum ONNXNormalizer: ONNXMachineLearning {
  package static let types = ["Normalizer"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let given = try context.required(0)
    guard 1...2 ~= context.fact(given).rank else {
      throw Diagnostic("onnx.features", "\(context.fact(given).type) has no rows of features")
    }
    let x = try context.cast(given, to: .float32)
    let size: ValueID
    switch try node.string("norm", default: "MAX") {
    case "L1": size = try context.emit(ReduceL1Norm(axes: [-1], keepDims: true), x)
    case "L2": size = try context.emit(ReduceL2Norm(axes: [-1], keepDims: true), x)
    case "MAX": size = try context.emit(ReduceMax(axes: [-1], keepDims: true), x)
    case let name: throw Diagnostic("onnx.norm-order", "Normalizer has no norm '\(name)'")
    }
    let isZero = try context.emit(Equal(), size, try context.number(0, like: x))
    let divisor = try context.emit(Select(), isZero, try context.number(1, like: x), size)
    return [try context.emit(RealDiv(), x, divisor)]
  }
}
