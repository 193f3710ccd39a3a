import MLCCore
import MLCGraph
import MLCOps

/// ONNX `CategoryMapper`: the integer of each text, or the text of each integer, as the input says.
package enum ONNXCategoryMapper: ONNXMachineLearning {
  package static let types = ["CategoryMapper"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let (texts, numbers) = (try node.strings("cats_strings") ?? [], try node.ints("cats_int64s") ?? [])
    return [try ONNXKeyTable(node, texts, numbers, from: context.fact(x).dtype).values(of: x, in: &context)]
  }
}
