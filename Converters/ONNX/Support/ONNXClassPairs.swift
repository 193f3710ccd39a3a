import MLCCore
import MLCOps

extension ClassPairs {
  /// The machines of a classifier whose classes have `counts` vectors each. Throws `onnx.svm`.
  init(_ node: ONNXNode, _ classes: Int, _ counts: [Int], _ machine: ONNXSupportVectors) throws(Diagnostic) {
    let (slopes, offsets) = (try node.floats("prob_a") ?? [], try node.floats("prob_b") ?? [])
    let pairs = ClassPairs(
      counts,
      coefficients: machine.coefficients.map { Double($0) },
      offsets: machine.rho.map { Double($0) },
      logistics: zip(slopes, offsets).map { Logistic(slope: Double($0), offset: Double($1)) }
    )
    guard let pairs, counts.count == classes, slopes.count == offsets.count else {
      let given = "\(machine.coefficients.count) coefficients, \(machine.rho.count) rho and \(slopes.count) of prob_a"
      throw Diagnostic("onnx.svm", "\(given) for \(classes) classes with \(machine.count) support vectors")
    }
    self = pairs
  }
}
