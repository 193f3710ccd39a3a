import MLCCore
import MLCGraph
import MLCOps

/// The kernel of a support vector machine and the vectors that features are compared with; no vectors where the machine
/// is linear and its coefficients belong to the features.
struct ONNXSupportVectors {
  private let vectors: SupportVectors
  let coefficients: [Float], rho: [Float]

  /// `count` is the number of vectors. Throws `onnx.svm`.
  init(_ node: ONNXNode, count: Int) throws(Diagnostic) {
    let elements = try node.floats("support_vectors") ?? []
    (coefficients, rho) = (try node.floats("coefficients") ?? [], try node.floats("rho") ?? [])
    let kernel = try Self.kernel(node)
    guard count > 0 ? !elements.isEmpty && elements.count % count == 0 : kernel == .linear && elements.isEmpty else {
      throw Diagnostic("onnx.svm", "\(elements.count) numbers of \(count) support vectors")
    }
    vectors = SupportVectors(kernel, Tensor([count, count > 0 ? elements.count / count : 0], floats: elements))
  }

  private static func kernel(_ node: ONNXNode) throws(Diagnostic) -> SupportVectors.Kernel {
    let name = try node.string("kernel_type", default: "LINEAR")
    let given = (try node.floats("kernel_params") ?? []).map { Double($0) }
    guard given.count == 3 || given.isEmpty && name == "LINEAR" else {
      throw Diagnostic("onnx.svm", "\(given.count) parameters of a kernel, not gamma, coef0 and degree")
    }
    switch name {
    case "LINEAR": return .linear
    case "POLY": return .polynomial(gamma: given[0], offset: given[1], degree: given[2])
    case "RBF": return .radial(gamma: given[0])
    case "SIGMOID": return .sigmoid(gamma: given[0], offset: given[1])
    default: throw Diagnostic("onnx.svm", "no kernel is called '\(name)'")
    }
  }

  var count: Int { vectors.count }
  var coefficientsArePositive: Bool { coefficients.allSatisfy { $0 >= 0 } }

  /// `[N, vectors]`, fp32. Throws `onnx.features` where the rows have another length.
  func kernels(of x: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    try check(x, vectors.columns, in: context)
    return try vectors.kernels(of: x, in: &context)
  }

  /// `[N, rows]`: the scores of a linear machine, whose coefficients lie by rows, plus the one rho.
  func linear(_ x: ValueID, rows: Int, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    guard rho.count == 1, !coefficients.isEmpty, coefficients.count % rows == 0 else {
      throw Diagnostic("onnx.svm", "\(coefficients.count) coefficients and \(rho.count) rho for \(rows) scores")
    }
    try check(x, coefficients.count / rows, in: context)
    let weight = context.constant(Tensor([rows, coefficients.count / rows], floats: coefficients), "coefficients")
    let bias = context.constant(Tensor([rows], floats: [Float](repeating: rho[0], count: rows)), "rho")
    return try context.emit(Linear(), x, weight, bias)
  }

  private func check(_ x: ValueID, _ features: Int, in context: ONNXContext) throws(Diagnostic) {
    guard ONNXContext.fits(context.fact(x).shape[1], Dim(features)) else {
      throw Diagnostic("onnx.features", "\(features) features of a support vector machine for \(context.fact(x).type)")
    }
  }
}
