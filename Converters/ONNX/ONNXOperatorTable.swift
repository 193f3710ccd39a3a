/// The ONNX operators that mlc imports.
package enum ONNXOperatorTable {
  package static let rules = types.map(ONNXRule.init) + ONNXRule.elementwise + ONNXRule.reductions + ONNXRule.variadic

  /// Those with a conversion of their own: a test holds them equal to the files in `Operators/`.
  package static let types: [any ONNXOperator.Type] = [
    ONNXAttention.self,
    ONNXAveragePool.self,
    ONNXBatchNormalization.self,
    ONNXBitShift.self,
    ONNXCast.self,
    ONNXCastLike.self,
    ONNXCenterCropPad.self,
    ONNXClip.self,
    ONNXCompress.self,
    ONNXConcat.self,
    ONNXConstant.self,
    ONNXConstantOfShape.self,
    ONNXConv.self,
    ONNXConvTranspose.self,
    ONNXCumSum.self,
    ONNXDepthToSpace.self,
    ONNXDropout.self,
    ONNXEinsum.self,
    ONNXExpand.self,
    ONNXEyeLike.self,
    ONNXFlatten.self,
    ONNXGather.self,
    ONNXGatherElements.self,
    ONNXGatherND.self,
    ONNXGelu.self,
    ONNXGemm.self,
    ONNXGlobalPool.self,
    ONNXGroupNormalization.self,
    ONNXHannWindow.self,
    ONNXHardmax.self,
    ONNXIf.self,
    ONNXInstanceNormalization.self,
    ONNXLayerNormalization.self,
    ONNXLpNormalization.self,
    ONNXLpPool.self,
    ONNXLRN.self,
    ONNXMatMul.self,
    ONNXMaxPool.self,
    ONNXMean.self,
    ONNXMeanVarianceNormalization.self,
    ONNXNegativeLogLikelihoodLoss.self,
    ONNXNonZero.self,
    ONNXOneHot.self,
    ONNXPad.self,
    ONNXRange.self,
    ONNXRecurrent.self,
    ONNXReshape.self,
    ONNXResize.self,
    ONNXReverseSequence.self,
    ONNXRMSNormalization.self,
    ONNXRotaryEmbedding.self,
    ONNXScatterElements.self,
    ONNXScatterND.self,
    ONNXShape.self,
    ONNXShrink.self,
    ONNXSize.self,
    ONNXSlice.self,
    ONNXSoftmax.self,
    ONNXSpaceToDepth.self,
    ONNXSplit.self,
    ONNXSqueeze.self,
    ONNXSwish.self,
    ONNXTensorScatter.self,
    ONNXTile.self,
    ONNXTopK.self,
    ONNXTranspose.self,
    ONNXTrilu.self,
    ONNXUnsqueeze.self,
  ]

  static func rule(for node: ONNXNode) -> ONNXRule? { byName["\(node.domain)::\(node.opType)"] }

  private static let byName: [String: ONNXRule] = {
    var table: [String: ONNXRule] = [:]
    for rule in rules {
      for type in rule.types { table["\(rule.domain)::\(type)"] = rule }
    }
    return table
  }()
}
