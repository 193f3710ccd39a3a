import MLCCore
import MLCGraph
import MLCOps

/// The kernel of a support vector machine and the vectors that features are compared with; no vectors where the machine
/// is linear and its coefficients belong to the features.
struct ONNXSupportVectors {
  private enum Kernel: String {
    case linear = "LINEAR"
    case polynomial = "POLY"
    case radial = "RBF"
    case sigmoid = "SIGMOID"
  }
  private let kernel: Kernel
  private let gamma: Double, offset: Double, degree: Double
  private let vectors: Tensor
  let coefficients: [Float], rho: [Float]

  /// `count` is the number of vectors. Throws `onnx.svm`.
  init(_ node: ONNXNode, count: Int) throws(Diagnostic) {
    let name = try node.string("kernel_type", default: "LINEAR")
    let parameters = try node.floats("kernel_params") ?? []
    let elements = try node.floats("support_vectors") ?? []
    (coefficients, rho) = (try node.floats("coefficients") ?? [], try node.floats("rho") ?? [])
    guard let kernel = Kernel(rawValue: name) else { throw Diagnostic("onnx.svm", "no kernel is called '\(name)'") }
    guard parameters.count == 3 || parameters.isEmpty && kernel == .linear else {
      throw Diagnostic("onnx.svm", "\(parameters.count) parameters of a kernel, not gamma, coef0 and degree")
    }
    guard count > 0 ? !elements.isEmpty && elements.count % count == 0 : kernel == .linear && elements.isEmpty else {
      throw Diagnostic("onnx.svm", "\(elements.count) numbers of \(count) support vectors")
    }
    self.kernel = kernel
    (gamma, offset, degree) = parameters.isEmpty ? (1, 0, 1) : Self.triple(parameters.map { Double($0) })
    vectors = Tensor([count, count > 0 ? elements.count / count : 0], floats: elements)
  }

  private static func triple(_ numbers: [Double]) -> (Double, Double, Double) { (numbers[0], numbers[1], numbers[2]) }

  var count: Int { vectors.shape[0] }
  var coefficientsArePositive: Bool { coefficients.allSatisfy { $0 >= 0 } }

  /// `[N, vectors]`: for a row x and a vector v, `x·v`, `(gamma x·v + coef0)^degree`, `tanh(gamma x·v + coef0)` or
  /// `exp(−gamma |x − v|²)`; fp32. Throws `onnx.features` where the rows have another length.
  func kernels(of x: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    try check(x, vectors.shape[1], in: context)
    let constant = context.constant(vectors, "vectors")
    if kernel == .radial {
      let difference = try context.emit(Sub(), try context.emit(ExpandDims([1]), x), constant)
      let distance = try context.emit(ReduceSum(axes: [2]), try context.emit(Square(), difference))
      return try context.emit(Exp(), try context.scaled(distance, by: -gamma))
    }
    let product = try context.emit(Linear(), x, constant)
    if kernel == .linear { return product }
    let scaled = try context.scaled(product, by: gamma)
    let sum = try context.emit(Add(), scaled, try context.number(offset, like: scaled))
    if kernel == .sigmoid { return try context.emit(Tanh(), sum) }
    return try context.emit(Pow(), sum, try context.number(degree, like: sum))
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
