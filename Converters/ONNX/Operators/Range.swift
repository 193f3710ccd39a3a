import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Range` → `range_1d`.
package enum ONNXRange: ONNXOperator {
  package static let types = ["Range"]
  package static var sinceOpset: Int { 11 }
  package static var operation: String? { "range_1d" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    var numbers: [ValueID] = []
    for place in 0..<3 {
      if place == 2, !node.domain.isEmpty, context.input(2) == nil {
        numbers.append(try context.number(1, like: numbers[0]))
      } else {
        numbers.append(try number(context.required(place), in: &context))
      }
    }
    return [try context.emit(Range1D(), numbers[1], numbers[0], numbers[2])]
  }

  /// Runtimes take a vector of one number too, and functions of ONNX' own rely on it.
  private static func number(_ value: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    context.fact(value).shape == [1] ? try context.emit(Squeeze([0]), value) : value
  }
}
