import MLCCore
import MLCGraph
import MLCOps

extension Neg: MILLegalizable {
  /// `x · (−1)`
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    guard let x = use[0] else { return nil }
    return [try use.append(Mul(), x, use.scalar(-1, like: x, in: &builder), in: &builder, last: true)]
  }
}

extension IsNan: MILLegalizable {
  /// `x ≠ x`
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    guard let x = use[0] else { return nil }
    return [try use.append(NotEqual(), x, x, in: &builder, last: true)]
  }
}

extension IsInf: MILLegalizable {
  /// `|x| = ∞`, or x against one infinity.
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    guard let x = use[0], positive || negative else { return nil }
    let subject = positive && negative ? try use.append(Abs(), x, in: &builder) : x
    let infinity = use.scalar(positive ? .infinity : -.infinity, like: x, in: &builder)
    return [try use.append(Equal(), subject, infinity, in: &builder, last: true)]
  }
}

extension Mod: MILSpelled {
  func spell(_ call: inout MILCall, _ context: SpellingContext) { call.drop("truncate", unless: !truncate) }
}

extension Clip: MILLegalizable {
  /// On integers `min(max(x, alpha), beta)`.
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    guard let x = use[0], builder.fact(x).dtype == .int32 else { return nil }
    let limits = Double(Int32.min)...Double(Int32.max)
    let (low, high) = (max(alpha, limits.lowerBound), min(beta, limits.upperBound))
    guard low <= high else { return nil }
    let raised = try use.append(Maximum(), x, use.scalar(low, like: x, in: &builder), in: &builder)
    return [try use.append(Minimum(), raised, use.scalar(high, like: x, in: &builder), in: &builder, last: true)]
  }
}

extension Equal: MILLegalizable {
  /// On truth values `not (x xor y)`.
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    guard let x = use[0], let y = use[1], builder.fact(x).dtype == .bool else { return nil }
    let differ = try use.append(LogicalXor(), x, y, in: &builder)
    return [try use.append(LogicalNot(), differ, in: &builder, last: true)]
  }
}

extension ReduceArgmax: MILSpelled {
  func spell(_ call: inout MILCall, _ context: SpellingContext) { spellArgReduction(self, &call, context) }
}
extension ReduceArgmin: MILSpelled {
  func spell(_ call: inout MILCall, _ context: SpellingContext) { spellArgReduction(self, &call, context) }
}

private func spellArgReduction(_ op: some ArgReduction, _ call: inout MILCall, _ context: SpellingContext) {
  call.drop("select_last_index", unless: !op.selectLastIndex)
  if context.target < .iOS17 {
    call.drop("output_dtype", unless: op.outputDType == .int32)
  } else if ![.int32, .int16, .uint16].contains(op.outputDType) {
    call.block("Core ML's \(call.type) gives int32, int16 or uint16")
  }
}

extension TopK: MILSpelled {
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    if let k = context.fact("k")?.elements?.first?.constant {
      call.removeOperand("k")
      call["k"] = .int(k)
    }
    if context.target < .iOS16 {
      call["sort"] = nil
    } else {
      call["return_indices"] = .bool(true)
    }
    if context.target < .iOS17 {
      call.drop("output_indices_dtype", unless: indicesDType == .int32)
    } else if ![.int32, .int16, .uint16].contains(indicesDType) {
      call.block("Core ML's topk gives positions as int32, int16 or uint16")
    }
  }
}
