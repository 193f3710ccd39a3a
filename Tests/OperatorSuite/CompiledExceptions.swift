import MLCCore
import MLCGraph

/// Operators, or single cases, that generated code does not play, each with the reason.
enum CompiledExceptions {
  static let reasons: [String: String] = [
    "while_loop": "loops have no kernel form yet",
    "cond": "needs blocks, which a case cannot hold",
    "pad.run-time": "the result has no bound before run time, so no memory can be planned",
    "tile.run-time": "the result has no bound before run time, so no memory can be planned",
    "broadcast_to.run-time": "the result has no bound before run time, so no memory can be planned",
    "fill.run-time": "the result has no bound before run time, so no memory can be planned",
    "range_1d.down": "the result has no bound before run time, so no memory can be planned",
    "range_1d.empty": "the result has no bound before run time, so no memory can be planned",
    "one_hot.first": "the result has no bound before run time, so no memory can be planned",
    "resize.sizes-at-run-time": "the result has no bound before run time, so no memory can be planned",
    "real_div.int32-truncates": "divides by zero, which generated code reports as a fault",
    "floor_div.int32": "divides by zero, which generated code reports as a fault",
    "mod.int64": "divides by zero, which generated code reports as a fault",
    "constexpr_lut_to_sparse": "its mask has a bit an element, and kernels write whole bytes",
    "constexpr_sparse_blockwise_shift_scale": "its mask has a bit an element, and kernels write whole bytes",
    "constexpr_sparse_to_dense.int4": "four bits an element, and kernels write whole bytes",
    "matmul.cancels": "generated code sums fp32 products in fp32",
  ]

  static func reason(_ item: OperatorCase) -> String? {
    if item.inputs.joined().contains(where: { $0.dtype == .string }) { return "kernels hold no strings" }
    return reasons[item.label] ?? reasons[type(of: item.op).name]
  }
}
