import MLCCore
import MLCGraph

/// Operators, or single cases, that generated code does not play, each with the reason.
enum CompiledExceptions {
  static let reasons: [String: String] = [
    "while_loop": "loops have no kernel form yet",
    "cond": "needs blocks, which a case cannot hold",
  ]

  static func reason(_ item: OperatorCase) -> String? {
    if item.inputs.joined().contains(where: { $0.dtype == .string }) { return "kernels hold no strings" }
    return reasons[item.label] ?? reasons[type(of: item.op).name]
  }
}
