import MLCCore
import MLCGraph
import MLCOps

/// ONNX `FeatureVectorizer`: the features of all inputs beside each other, fp32.
package enum ONNXFeatureVectorizer: ONNXMachineLearning {
  package static let types = ["FeatureVectorizer"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    var parts: [ValueID] = []
    for index in node.inputs.indices { parts.append(try context.cast(try context.features(index), to: .float32)) }
    if parts.isEmpty { throw Diagnostic("onnx.features", "there are no inputs") }
    return [try context.concat(parts, axis: 1)]
  }
}
