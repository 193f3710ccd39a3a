import MLCCore
import MLCGraph
import MLCOps

/// An operator of ONNX' domain of classical models, which exporters of scikit-learn, LightGBM and XGBoost write.
package protocol ONNXMachineLearning: ONNXOperator {}

extension ONNXMachineLearning {
  package static var domain: String { "ai.onnx.ml" }
  package static var sinceOpset: Int { 1 }
}

extension ONNXContext {
  /// Input `index` as rows of features, floats: integers become fp32, one row of rank 1 becomes a matrix. Throws
  /// `onnx.features`.
  mutating func features(_ index: Int = 0) throws(Diagnostic) -> ValueID {
    let x = try required(index)
    let type = fact(x).type
    guard 1...2 ~= type.rank, type.dtype.isFloat || type.dtype.isInteger else {
      throw Diagnostic("onnx.features", "\(type) is no matrix of numbers with a row for each example")
    }
    let floats = type.dtype == .float64 ? x : try cast(x, to: .float32)
    return type.rank == 2 ? floats : try emit(ExpandDims([0]), floats)
  }
}

extension ONNXNode {
  /// The numbers of a list attribute, or of the tensor that may stand for it.
  func numbers(_ name: String, orTensor other: String) throws(Diagnostic) -> (values: [Double], isWide: Bool) {
    if let tensor = try tensor(other) {
      guard tensor.dtype.isFloat else {
        throw Diagnostic("onnx.attribute-type", "attribute '\(other)' is \(tensor.type), expected floats", at: location)
      }
      return (tensor.doubles, tensor.dtype == .float64)
    }
    return (try floats(name)?.map(Double.init) ?? [], false)
  }
}
