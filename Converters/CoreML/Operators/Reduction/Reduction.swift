import MLCCore
import MLCGraph
import MLCOps

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
