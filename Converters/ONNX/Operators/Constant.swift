import MLCCore
import MLCGraph

/// ONNX `Constant` → `const`. Exactly one of the value attributes is given.
package enum ONNXConstant: ONNXOperator {
  package static let types = ["Constant"]
  package static var operation: String? { "const" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    [context.builder.constant(try value(node), name: node.output(0) ?? node.name, origin: context.origin)]
  }

  private static func value(_ node: ONNXNode) throws(Diagnostic) -> Tensor {
    if let tensor = try node.tensor("value") { return tensor }
    if let x = try node.float("value_float") { return Tensor([], floats: [x]) }
    if let x = try node.floats("value_floats") { return Tensor([x.count], floats: x) }
    if let x = try node.int("value_int") { return .scalar(.int64, x) }
    if let x = try node.ints("value_ints") { return .shape(x) }
    if let x = try node.string("value_string") { return Tensor([], strings: [x]) }
    if let x = try node.strings("value_strings") { return Tensor([x.count], strings: x) }
    throw Diagnostic(
      "onnx.constant",
      "none of the value attributes is given, or it is of a kind that mlc has no type for"
    )
  }
}
