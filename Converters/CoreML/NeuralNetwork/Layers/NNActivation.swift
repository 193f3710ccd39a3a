import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `activation`: a function of each element; those with numbers for each channel take `[…, C, H, W]`.
enum NNActivation: NNLayerRule {
  static let kinds = ["activation"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.input()
    switch layer.spec.activation.nonlinearityType {
    case .linear(let spec)?:
      return [try linear(x, Double(spec.alpha), Double(spec.beta), &context)]
    case .scaledTanh(let spec)?:
      let inner = try context.emit(Mul(), x, context.scalar(Double(spec.beta)))
      return [try context.emit(Mul(), try context.emit(Tanh(), inner), context.scalar(Double(spec.alpha)))]
    case .preLu(let spec)?: return [try context.emit(Prelu(), x, try context.perChannel(spec.alpha, "alpha", x))]
    case .parametricSoftplus(let spec)?:
      let beta = try context.perChannel(spec.beta, "beta", x)
      let soft = try context.emit(Softplus(), try context.emit(Mul(), x, beta))
      return [try context.emit(Mul(), soft, try context.perChannel(spec.alpha, "alpha", x))]
    case .thresholdedReLu(let spec)?: return [try thresholded(x, Double(spec.alpha), &context)]
    case let simple?: return [try context.emit(try operation(simple), x)]
    case nil: throw NNContext.wrong("the activation has no function")
    }
  }

  private static func operation(
    _ activation: CoreML_Specification_ActivationParams.OneOf_NonlinearityType
  ) throws(Diagnostic) -> any Operator {
    switch activation {
    case .reLu: Relu()
    case .leakyReLu(let spec): LeakyRelu(alpha: Double(spec.alpha))
    case .tanh: Tanh()
    case .sigmoid: Sigmoid()
    case .sigmoidHard(let spec): SigmoidHard(alpha: Double(spec.alpha), beta: Double(spec.beta))
    case .elu(let spec): Elu(alpha: Double(spec.alpha))
    case .softsign: Softsign()
    case .softplus: Softplus()
    case .linear, .scaledTanh, .preLu, .parametricSoftplus, .thresholdedReLu:
      throw NNContext.wrong("the activation is of several operations")
    }
  }

  static func linear(_ x: ValueID, _ alpha: Double, _ beta: Double, _ context: inout NNContext) throws(Diagnostic)
    -> ValueID
  {
    let scaled = alpha == 1 ? x : try context.emit(Mul(), x, context.scalar(alpha))
    if beta == 0, alpha != 1 { return scaled }
    return try context.emit(Add(), scaled, context.scalar(beta))
  }

  /// x where `x ≥ alpha`, else 0; the operator of the graph leaves out `x = alpha`.
  private static func thresholded(_ x: ValueID, _ alpha: Double, _ context: inout NNContext) throws(Diagnostic)
    -> ValueID
  {
    let taken = try context.emit(Less(), x, context.scalar(alpha))
    return try context.emit(Select(), taken, context.scalar(0), x)
  }
}
