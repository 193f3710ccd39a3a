import MLCCore
import MLCGraph
import MLCOps

/// An ONNX operator that takes or gives what is no tensor: `ONNXOperator`, with values of any kind.
package protocol ONNXValueOperator: ONNXOperatorEntry {
  /// Appends what `node` means and gives one value per output of the node (trailing optional outputs may be left off).
  static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ONNXValue]
}

/// What they are given.
extension ONNXContext {
  /// Input `index`. Throws `onnx.missing-input`.
  func value(_ index: Int) throws(Diagnostic) -> ONNXValue {
    if let value = node.input(index).flatMap({ values[$0] }) { return value }
    throw Diagnostic("onnx.missing-input", "input \(index) is required", at: origin)
  }

  /// Input `index`, a sequence, or an optional that holds one, which is checked as the model runs. Throws
  /// `onnx.missing-input`, `onnx.sequence`.
  mutating func sequence(_ index: Int) throws(Diagnostic) -> ONNXSequence {
    switch try value(index) {
    case .sequence(let sequence): return sequence
    case .optional(let present, let inner):
      if case .sequence(let sequence) = try ensured(inner, present) { return sequence }
    case let other: throw Diagnostic("onnx.sequence", "input \(index) is \(other.kind), not a sequence", at: origin)
    }
    throw Diagnostic("onnx.sequence", "input \(index) is an optional tensor, not a sequence", at: origin)
  }

  /// Input `index`, a place in a sequence, as a scalar of type `int64`; `nil` when it is left out.
  mutating func place(_ index: Int) throws(Diagnostic) -> ValueID? {
    guard let value = input(index) else { return nil }
    guard fact(value).dtype.isInteger else {
      throw Diagnostic("onnx.sequence", "a place in a sequence is \(fact(value).type)", at: origin)
    }
    return try cast(try scalar(value, "onnx.sequence"), to: .int64)
  }

  /// `value`, which is a tensor. Throws `onnx.sequence`, where it is called `what`.
  func tensor(_ value: ONNXValue, _ what: String) throws(Diagnostic) -> ValueID {
    if let tensor = value.tensor { return tensor }
    throw Diagnostic("onnx.sequence", "\(what) is \(value.kind), not a tensor", at: origin)
  }

  /// `value`, which is there as long as `holds` is true; that is checked as the model runs.
  mutating func ensured(_ value: ONNXValue, _ holds: ValueID) throws(Diagnostic) -> ONNXValue {
    switch value {
    case .tensor(let tensor): return .tensor(try emit(Ensure(), tensor, holds))
    case .sequence(.stack(let stack)): return .sequence(.stack(try emit(Ensure(), stack, holds)))
    case .sequence(.ragged(let elements, let shapes)):
      return .sequence(.ragged(elements: elements, shapes: try emit(Ensure(), shapes, holds)))
    case .sequence(.list(let values, let dtype)):
      var checked: [ValueID] = []
      for value in values { checked.append(try emit(Ensure(), value, holds)) }
      return .sequence(.list(checked, dtype))
    case .map(let keys, let values): return .map(keys: keys, values: try emit(Ensure(), values, holds))
    case .nothing: return .nothing
    case .optional(let present, let inner):
      return .optional(present: try emit(Ensure(), present, holds), inner)
    }
  }
}
