import MLCCore
import MLCGraph
import MLCOps

/// ONNX `SVMRegressor`: kernels with the support vectors, or the features where there are none, times coefficients,
/// plus rho; fp32. With `one_class` 1 where that is above 0, else −1. `post_transform` changes nothing, as in onnxruntime.
package enum ONNXSVMRegressor: ONNXMachineLearning {
  package static let types = ["SVMRegressor"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    _ = try ONNXPostTransform(node)
    let count = try node.int("n_supports", default: 0)
    guard count >= 0 else { throw Diagnostic("onnx.svm", "\(count) support vectors") }
    let machine = try ONNXSupportVectors(node, count: count)
    let x = try context.cast(try context.features(), to: .float32)
    let y = try score(x, machine, in: &context)
    guard try node.flag("one_class") else { return [y] }
    let (one, zero) = (try context.number(1, like: y), try context.number(0, like: y))
    let isInside = try context.emit(Greater(), y, zero)
    return [try context.emit(Select(), isInside, one, try context.number(-1, like: y))]
  }

  private static func score(_ x: ValueID, _ machine: ONNXSupportVectors, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    if machine.count == 0 { return try machine.linear(x, rows: 1, in: &context) }
    guard machine.coefficients.count == machine.count, machine.rho.count == 1 else {
      let given = "\(machine.coefficients.count) coefficients and \(machine.rho.count) rho"
      throw Diagnostic("onnx.svm", "\(given) for \(machine.count) support vectors")
    }
    let weight = context.constant(Tensor([1, machine.count], floats: machine.coefficients), "coefficients")
    let kernels = try machine.kernels(of: x, in: &context)
    return try context.emit(Linear(), kernels, weight, context.constant(Tensor([1], floats: machine.rho), "rho"))
  }
}
