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
    ONNXConvInteger.self,
    ONNXConvTranspose.self,
    ONNXCumSum.self,
    ONNXDepthToSpace.self,
    ONNXDequantizeLinear.self,
    ONNXDropout.self,
    ONNXDynamicQuantizeLinear.self,
    ONNXDynamicQuantizeLSTM.self,
    ONNXDynamicQuantizeMatMul.self,
    ONNXEinsum.self,
    ONNXEmbedLayerNormalization.self,
    ONNXExpand.self,
    ONNXEyeLike.self,
    ONNXFlatten.self,
    ONNXFusedConv.self,
    ONNXFusedGelu.self,
    ONNXFusedGemm.self,
    ONNXFusedMatMul.self,
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
    ONNXMatMulInteger.self,
    ONNXMatMulIntegerToFloat.self,
    ONNXMaxPool.self,
    ONNXMean.self,
    ONNXMeanVarianceNormalization.self,
    ONNXMicrosoftDequantizeLinear.self,
    ONNXMicrosoftQuantizeLinear.self,
    ONNXNegativeLogLikelihoodLoss.self,
    ONNXNonZero.self,
    ONNXOneHot.self,
    ONNXPad.self,
    ONNXQGemm.self,
    ONNXQLinearBinary.self,
    ONNXQLinearConcat.self,
    ONNXQLinearConv.self,
    ONNXQLinearMatMul.self,
    ONNXQLinearPool.self,
    ONNXQLinearSoftmax.self,
    ONNXQLinearUnary.self,
    ONNXQLinearWhere.self,
    ONNXQuantizeLinear.self,
    ONNXQuickGelu.self,
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
    ONNXSimplifiedLayerNormalization.self,
    ONNXShrink.self,
    ONNXSize.self,
    ONNXSkipLayerNormalization.self,
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

  /// The rule for an operator type, that of the standard domain where several have it.
  package static func rule(named type: String) -> ONNXRule? {
    rules.filter { $0.types.contains(type) }.min { $0.domain < $1.domain }
  }

  static func rule(for node: ONNXNode) -> ONNXRule? { byName["\(node.domain)::\(node.opType)"] }

  private static let byName: [String: ONNXRule] = {
    var table: [String: ONNXRule] = [:]
    for rule in rules {
      for type in rule.types { table["\(rule.domain)::\(type)"] = rule }
    }
    return table
  }()
}
