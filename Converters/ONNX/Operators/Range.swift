import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Range` → `range_1d`.
package enum ONNXRange: ONNXOperator {
  package static let types = ["Range"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    var numbers: [ValueID] = []
    for place in 0..<3 { numbers.append(try number(context.required(place), in: &context)) }
    return [try context.emit(Range1D(), numbers[1], numbers[0], numbers[2])]
  }

  /// Runtimes take a vector of one number too, and functions of ONNX' own rely on it.
  private static func number(_ value: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    context.fact(value).shape == [1] ? try context.emit(Squeeze([0]), value) : value
  }
}
