import MLCCore
import MLCGraph
import MLCOps

extension Reshape: MILLegalizable {
  /// A fixed result is asked for in numbers: zeros and −1 never reach Core ML then.
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    guard let x = use[0], let shape = use[1], builder.fact(shape).value != nil else { return nil }
    var trial = builder
    let y = try trial.append(self, use.inputs, names: use.names, origin: use.origin)
    guard let target = trial.fact(y[0]).type.staticShape, !target.isEmpty,
      allowZero || builder.fact(shape).value?.integers != target
    else { return nil }
    return [try use.append(Reshape(), x, use.list(target, "shape", in: &builder), in: &builder, last: true)]
  }
}

extension Reshape: MILSpelled {
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    let zeros = context.fact("shape")?.elements?.contains(0) ?? true
    call.drop("allow_zero", unless: !allowZero || !zeros)
    if context.result().rank == 0 {
      call.type = "squeeze"
      call.removeOperand("shape")
      call["axes"] = .ints(Array(0..<(context.fact("x")?.rank ?? 0)))
      if context.fact("x")?.rank == 0 {
        call.type = "identity"
        call["axes"] = nil
      }
    }
  }
}

extension Squeeze: MILSpelled {
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    guard let x = context.fact("x"), axes.isEmpty else { return }
    let ones = x.shape.indices.filter { x.shape[$0] == 1 }
    if ones.isEmpty { call.type = "identity" } else { call["axes"] = .ints(ones) }
  }
}

extension ExpandDims: MILSpelled {
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    if axes.isEmpty { call.type = "identity" }
  }
}

extension Transpose: MILSpelled {
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    if perm.isEmpty { call.type = "identity" }
  }
}
