import MLCCore
import MLCGraph
import MLCOps

/// The operations by which functional models of Keras 3 compute masks between their layers: `NotEqual` of what
/// `Embedding` looks up, `Any` over the elements of a step behind `Masking`, `LogicalOr` of the masks of tensors that
/// are added.
package struct KerasMaskOperation: KerasLayer {
  package static let classNames = ["NotEqual", "Any", "LogicalOr"]

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let x = try context.plain(try call.input())
    switch call.layer.className {
    case "Any": return [KerasTensor(try any(x, call.config, &context))]
    case "LogicalOr":
      guard call.inputs.count == 2 else { throw Diagnostic("keras.inputs", "it is called with no second tensor") }
      return [KerasTensor(try context.emit(LogicalOr(), x, try context.plain(call.inputs[1])))]
    default: return [KerasTensor(try context.emit(NotEqual(), x, try other(call, like: x, &context)))]
    }
  }

  /// The second tensor, or the number in its place.
  private static func other(
    _ call: KerasCall,
    like x: ValueID,
    _ context: inout KerasContext
  ) throws(Diagnostic) -> ValueID {
    if call.inputs.count == 2 { return try context.plain(call.inputs[1]) }
    for argument in call.arguments {
      switch argument {
      case .integer(let number): return context.scalar(Double(number), like: x)
      case .number(let number): return context.scalar(number, like: x)
      default: continue
      }
    }
    throw Diagnostic("keras.inputs", "it is called with neither a second tensor nor a number")
  }

  private static func any(
    _ x: ValueID,
    _ config: KerasConfig,
    _ context: inout KerasContext
  ) throws(Diagnostic) -> ValueID {
    let rank = context.fact(x).rank
    let axes: [Int]
    switch config["axis"] ?? .null {
    case .null: axes = Array(0..<rank)
    case .integer(let axis) where (-rank..<rank).contains(axis): axes = [axis]
    default: throw Diagnostic("keras.axis", "it reduces over other axes than one or all", kind: .unsupported)
    }
    let keepsAxes = try config.bool("keepdims", default: false)
    let counts = try context.emit(Cast(.int32), x)
    let most = try context.emit(ReduceMax(axes: axes, keepDims: keepsAxes), counts)
    return try context.emit(NotEqual(), most, context.scalar(0, like: most))
  }
}
