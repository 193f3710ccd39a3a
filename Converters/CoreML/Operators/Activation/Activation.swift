import MLCCore
import MLCGraph
import MLCOps

extension Selu: MILLegalizable {
  /// `gamma · elu(x, alpha)`
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    guard let x = use[0] else { return nil }
    let elu = try use.append(Elu(alpha: alpha), x, in: &builder)
    return [try use.append(Mul(), elu, use.scalar(gamma, like: x, in: &builder), in: &builder, last: true)]
  }
}

extension Celu: MILLegalizable {
  /// `alpha · elu(x / alpha, 1)`, for a positive alpha.
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    guard alpha > 0, let x = use[0] else { return nil }
    if alpha == 1 { return [try use.append(Elu(alpha: 1), x, in: &builder, last: true)] }
    let scale = use.scalar(alpha, like: x, in: &builder)
    let divided = try use.append(RealDiv(), x, scale, in: &builder)
    let elu = try use.append(Elu(alpha: 1), divided, in: &builder)
    return [try use.append(Mul(), elu, scale, in: &builder, last: true)]
  }
}

extension HardSwish: MILLegalizable {
  /// `x · sigmoid_hard(x, 1/6, 1/2)`
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    guard let x = use[0] else { return nil }
    let gate = try use.append(SigmoidHard(alpha: 1.0 / 6, beta: 0.5), x, in: &builder)
    return [try use.append(Mul(), x, gate, in: &builder, last: true)]
  }
}

extension Mish: MILLegalizable {
  /// `x · tanh(softplus(x))`
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    guard let x = use[0] else { return nil }
    let soft = try use.append(Softplus(), x, in: &builder)
    let gate = try use.append(Tanh(), soft, in: &builder)
    return [try use.append(Mul(), x, gate, in: &builder, last: true)]
  }
}

extension LogSoftmax: MILLegalizable {
  /// `x − log Σ exp(x)`
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    guard let x = use[0], builder.fact(x).rank > 0 else { return nil }
    let total = try use.append(ReduceLogSumExp(axes: [axis], keepDims: true), x, in: &builder)
    return [try use.append(Sub(), x, total, in: &builder, last: true)]
  }
}

extension Prelu: MILSpelled {
  /// MIL's `alpha` is a vector of the channels.
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    guard let x = context.fact("x"), let alpha = context.fact("alpha")?.value, x.rank >= 3 else {
      return call.block("Core ML's prelu takes one constant alpha per channel")
    }
    let padded = [Int](repeating: 1, count: max(0, x.rank - alpha.rank)) + alpha.shape
    guard padded.count == x.rank, padded.indices.allSatisfy({ $0 == 1 || padded[$0] == 1 }),
      padded[1] > 1 || x.shape[1] == 1
    else { return call.block("Core ML's prelu takes one alpha per channel, on the second axis") }
    call.removeOperand("alpha")
    call["alpha"] = .tensor(alpha.reshaped([alpha.count]))
  }
}
