import MLCCore
import MLCGraph
import MLCOps

/// Operators of onnxruntime's own domain that mean what ONNX' of the same name do in their newest version, whatever
/// operator set the model has. `delta` of `Range` may be left out and is 1 then; the amounts of `Pad` may be a row
/// `[1, 2·rank]`; `Unique` keeps the order of first occurrence, and has no output for where that is.
package enum ONNXMicrosoftStandard: ONNXMicrosoftOperator {
  package static let types = ["GatherND", "Pad", "Range", "Trilu", "Unique"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    switch node.opType {
    case "GatherND": return try ONNXGatherND.convert(node, in: &context)
    case "Pad": return try ONNXPad.convert(node, in: &context)
    case "Range": return try ONNXRange.convert(node, in: &context)
    case "Trilu": return try ONNXTrilu.convert(node, in: &context)
    default:
      var ordered = node
      ordered.attributes = ["sorted": .int(0)]
      let results = try ONNXUnique.convert(ordered, in: &context)
      return [results[0], results[2], results[3]]
    }
  }
}
