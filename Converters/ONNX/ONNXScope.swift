import MLCCore
import MLCGraph

/// What names mean at one place of a model.
struct ONNXScope: Sendable {
  /// Version of the standard operator set.
  var opset: Int
  private(set) var values: [String: ONNXValue] = [:]
  /// What each name meant before it was defined, in the order of the definitions.
  private(set) var replaced: [(name: String, value: ONNXValue?)] = []
  /// The names of the nodes whose calls are around this, outermost first, with `/` between them.
  private(set) var place = ""
  /// The functions that are being called, outermost first.
  private var calls: [ONNXFunction.ID] = []

  init(opset: Int) { self.opset = opset }

  mutating func define(_ name: String, _ value: ONNXValue) {
    replaced.append((name, values[name]))
    values[name] = value
  }

  mutating func forget(since count: Int) {
    while replaced.count > count {
      let last = replaced.removeLast()
      values[last.name] = last.value
    }
  }

  /// What names mean in the body of `function`: its inputs what `call` gives, others nothing.
  ///
  /// Inputs that `call` leaves out are left out there. Places of over 256 bytes grow no further. Throws
  /// `onnx.function` for too many inputs and for a function that is being called already.
  func inside(_ function: ONNXFunction, calledBy call: ONNXNode) throws(Diagnostic) -> ONNXScope {
    guard call.inputs.count <= function.inputs.count else {
      let message = "function '\(function.name)' takes \(function.inputs.count) inputs, not \(call.inputs.count)"
      throw Diagnostic("onnx.function", message)
    }
    if let start = calls.firstIndex(of: function.id) {
      let circle = (calls[start...] + [function.id]).map { $0.name }.joined(separator: " → ")
      throw Diagnostic("onnx.function", "functions call each other in a circle: \(circle)")
    }
    var inner = ONNXScope(opset: function.opsets[""] ?? opset)
    inner.calls = calls + [function.id]
    inner.place = place.isEmpty ? call.name : place.utf8.count > 256 ? place : "\(place)/\(call.name)"
    for (parameter, argument) in zip(function.inputs, call.inputs) {
      if let value = values[argument], !argument.isEmpty { inner.define(parameter, value) }
    }
    return inner
  }
}
