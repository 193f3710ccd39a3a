import MLCCore
import MLCGraph
import MLCOps

/// ONNX `StringSplit` → `string_split`.
package enum ONNXStringSplit: ONNXOperator {
  package static let types = ["StringSplit"]
  package static var sinceOpset: Int { 20 }
  package static var operation: String? { "string_split" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let delimiter = try node.string("delimiter", default: "")
    let op = StringSplit(delimiter: delimiter, maxsplit: try node.int("maxsplit", default: -1))
    return try context.emit(op, all: [[try context.required(0)]])
  }
}
