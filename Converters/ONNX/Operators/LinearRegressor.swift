import MLCCore
import MLCGraph
import MLCOps

/// ONNX `LinearRegressor` → `linear`; fp32. Of a single target PROBIT alone transforms the result, as in onnxruntime.
package enum ONNXLinearRegressor: ONNXMachineLearning {
  package static let types = ["LinearRegressor"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let targets = try node.int("targets", default: 1)
    let transform = try ONNXPostTransform(node)
    let y = try context.linear(node, rows: targets)
    return [targets == 1 && transform != .probit ? y : try transform.apply(y, in: &context)]
  }
}

extension ONNXContext {
  /// `x · coefficientsᵀ + intercepts` with `rows` results. Throws `onnx.features` unless there are as many of both as
  /// rows and features say; no intercepts are zeros.
  mutating func linear(_ node: ONNXNode, rows: Int) throws(Diagnostic) -> ValueID {
    let x = try cast(try features(), to: .float32)
    let (weights, bias) = (try node.floats("coefficients") ?? [], try node.floats("intercepts") ?? [])
    guard rows > 0, !weights.isEmpty, weights.count % rows == 0, [0, rows].contains(bias.count),
      fact(x).shape[1].constant.map({ $0 == weights.count / rows }) ?? true
    else {
      let counts = "\(weights.count) coefficients and \(bias.count) intercepts"
      throw Diagnostic("onnx.features", "\(counts) for \(rows) results from \(fact(x).type)")
    }
    let matrix = constant(Tensor([rows, weights.count / rows], floats: weights), "coefficients")
    return try emit(Linear(), x, matrix, bias.isEmpty ? nil : constant(Tensor([rows], floats: bias), "intercepts"))
  }
}
