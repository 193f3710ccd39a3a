import MLCCore
import MLCGraph
import MLCOps

/// The activation that onnxruntime's `FusedConv` and `FusedGemm` end with.
enum ONNXFusedActivation {
  /// `name` with its parameters, in the order in which ONNX lists the operator's attributes; those left out have their
  /// defaults. Throws `onnx.activations`.
  static func op(_ name: String, _ given: [Float?]) throws(Diagnostic) -> (any Operator)? {
    let parameters = given.map { $0.map { Double($0) } }
    let (first, second) = (parameters.first ?? nil, parameters.dropFirst().first ?? nil)
    switch name {
    case "": return nil
    case "Relu": return Relu()
    case "Sigmoid": return Sigmoid()
    case "Tanh": return Tanh()
    case "Softplus": return Softplus()
    case "Softsign": return Softsign()
    case "HardSwish": return HardSwish()
    case "LeakyRelu": return LeakyRelu(alpha: first ?? 0.01)
    case "Elu": return Elu(alpha: first ?? 1)
    case "ThresholdedRelu": return ThresholdedRelu(alpha: first ?? 1)
    case "Clip": return Clip(alpha: first ?? -.infinity, beta: second ?? .infinity)
    case "HardSigmoid": return SigmoidHard(alpha: first ?? 0.2, beta: second ?? 0.5)
    default:
      throw Diagnostic("onnx.activations", "activation '\(name)' is not supported", kind: .unsupported)
    }
  }
}
