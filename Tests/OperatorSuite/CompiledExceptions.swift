import MLCCore
import MLCGraph

/// Operators, or single cases, that generated code does not play, each with the reason.
enum CompiledExceptions {
  static let reasons: [String: String] = [
    "while_loop": "needs blocks, which a case cannot hold",
    "cond": "needs blocks, which a case cannot hold",
    "decode_image": "decoders are those of the interpreter",
    "pad.run-time": "the amounts decide where elements come from, and kernels read at known offsets",
    "real_div.int32-truncates": "divides by zero, which generated code reports as a fault",
    "floor_div.int32": "divides by zero, which generated code reports as a fault",
    "mod.int64": "divides by zero, which generated code reports as a fault",
  ]

  static func reason(_ item: OperatorCase) -> String? {
    reasons[item.label] ?? reasons[type(of: item.op).name]
  }
}
