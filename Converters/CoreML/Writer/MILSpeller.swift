import MLCCore
import MLCGraph

/// Decides how an operation is written: as MIL's operator, or under a name of our own where MIL has none.
enum MILSpeller {
  /// What an operator that MIL lacks is written as, before its name.
  static let extensionPrefix = "mlc_"

  static func call(_ context: SpellingContext, _ report: inout CoreMLReport) -> MILCall {
    let operation = context.operation
    let plain = MILCall(operation)
    var call = plain
    spellGenerally(&call, context)
    if let op = operation.op as? any MILSpelled { op.spell(&call, context) }
    let node = operation.origin.node ?? context.function[operation.outputs[0]].name
    guard let row = MILOperator.named(call.type), call.obstacle == nil else {
      let reason = call.obstacle ?? "Core ML has no operator for it"
      report.refuse(operation.name, node: node, reason, advice: Self.advice(operation.name))
      var call = plain
      call.type = extensionPrefix + operation.name
      return call
    }
    check(&call, row, context)
    if let refusal = call.refusal { report.refuse(call.type, node: node, refusal.reason, advice: refusal.advice) }
    return call
  }

  private static func advice(_ op: String) -> String {
    switch op {
    case "acosh", "asinh": "express it by log and sqrt before exporting"
    case "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not", "left_shift", "right_shift":
      "express it by arithmetic on integers, or do it in the application"
    default: "run the package with mlc, or change the model before exporting it"
    }
  }

  /// What holds for many operators: no axes means all axes, masks are written out, indices are not validated.
  private static func spellGenerally(_ call: inout MILCall, _ context: SpellingContext) {
    let ports = context.operation.inputs.first?.first.map(context.function.fact)
    if let x = ports, call.type.hasPrefix("reduce_") && !call.type.hasPrefix("reduce_arg") || call.type == "layer_norm",
      x.rank > 0
    {
      call.fill("axes", .ints(Array(0..<x.rank)))
    }
    if ["gather", "gather_along_axis", "gather_nd", "scatter_along_axis", "scatter_nd"].contains(call.type) {
      if context.target >= .iOS17 { call["validate_indices"] = .bool(false) }
      if context.target < .iOS16, call["batch_dims"] != nil {
        call.drop("batch_dims", unless: call["batch_dims"] == .int(0))
      }
    }
  }

  private static func check(_ call: inout MILCall, _ row: MILOperator, _ context: SpellingContext) {
    if context.target < row.since {
      call.refuse("it needs \(row.since.name)", advice: "write the package for \(row.since.name) or later")
    }
    if let first = call.operands.first?.values.first.map(context.function.fact), !row.types.isEmpty {
      let types = context.target >= .iOS17 ? row.types.union(row.later) : row.types
      if !types.contains(first.dtype) {
        let advice = row.later.contains(first.dtype) ? "write the package for iOS17 or later" : "cast its operands"
        call.refuse("it does not take \(first.dtype.rawValue)", advice: advice)
      }
    }
    let constants = row.constants + (context.target >= .iOS17 ? [] : row.earlierConstants)
    for name in constants {
      guard let id = call.operand(name), !context.function.fact(id).isConstant else { continue }
      call.refuse("its '\(name)' must be a constant", advice: "fold the constants of the model before converting it")
    }
    let values = call.operands.flatMap { $0.values } + context.operation.outputs
    if values.contains(where: { context.function.fact($0).rank > 5 }) {
      call.refuse("Core ML's tensors have at most 5 axes", advice: "merge axes before and split them after it")
    }
  }
}
