import MLCCore
import MLCGraph
import MLCOps

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
