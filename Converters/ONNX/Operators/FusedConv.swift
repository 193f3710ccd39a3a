import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `FusedConv` → `conv`, `add` of the optional fourth input, and the activation.
package enum ONNXFusedConv: ONNXMicrosoftOperator {
  package static let types = ["FusedConv"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let parameters = try node.floats("activation_params") ?? []
    let activation = try ONNXFusedActivation.op(try node.string("activation", default: ""), parameters)
    var y = try ONNXConv.convert(node, in: &context)[0]
    if let z = context.input(3) { y = try context.emit(Add(), y, z) }
    return [try activation.map { op throws(Diagnostic) in try context.emit(op, y) } ?? y]
  }
}
