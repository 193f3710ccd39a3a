import MLCGraph

/// Operators, or single cases, whose inputs need a known extent before run time, each with the reason.
enum SymbolicExceptions {
  static let reasons: [String: String] = [
    "broadcast_to.run-time": "the extent of `shape` is the rank of the result, and ranks are known before run time",
    "broadcast_to.run-time-known": "the extent of `shape` is the rank of the result, as above",
    "fill.run-time": "the extent of `shape` is the rank of the result, and ranks are known before run time",
    "pad.run-time": "the extent of `pad` says how many axes are padded, which has to be known before run time",
    "squeeze.all": "which extents are 1, and so the rank of the result, has to be known before run time",
  ]

  static func reason(_ item: OperatorCase) -> String? { reasons[item.label] ?? reasons[type(of: item.op).name] }
}
