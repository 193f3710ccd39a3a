/// The ONNX operators that mlc imports. Adding one is one line; a test holds the table equal to the files in `Operators/`.
package enum ONNXOperatorTable {
  package static let rules: [any ONNXOperator.Type] = [
    ONNXAveragePool.self,
    ONNXBatchNormalization.self,
    ONNXConstant.self,
    ONNXConv.self,
    ONNXConvTranspose.self,
    ONNXDepthToSpace.self,
    ONNXDropout.self,
    ONNXGelu.self,
    ONNXGemm.self,
    ONNXGlobalPool.self,
    ONNXInstanceNormalization.self,
    ONNXLRN.self,
    ONNXLayerNormalization.self,
    ONNXMatMul.self,
    ONNXMaxPool.self,
    ONNXRecurrent.self,
    ONNXResize.self,
    ONNXSoftmax.self,
    ONNXSpaceToDepth.self,
  ]

  static func rule(for node: ONNXNode) -> (any ONNXOperator.Type)? { byName["\(node.domain)::\(node.opType)"] }

  private static let byName: [String: any ONNXOperator.Type] = {
    var table: [String: any ONNXOperator.Type] = [:]
    for rule in rules {
      for type in rule.types { table["\(rule.domain)::\(type)"] = rule }
    }
    return table
  }()
}
