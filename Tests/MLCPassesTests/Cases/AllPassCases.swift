extension PassCase {
  /// Every case there is.
  static let all: [PassCase] = [
    inlineConstantCond,
    mergeConstantArithmetic,
    mergeReshapes,
    mergeTransposes,
    sinkScales,
    sinkTransposes,
    eliminateCommonSubexpressions,
    eliminateDeadCode,
    foldConstants,
    removeNoOps,
    fuseAffineIntoConv,
    fuseConvBatchNorm,
    fuseLayerNormAffine,
    fuseMatmulBias,
    fusePadIntoConv,
    recognizeActivations,
    recognizeAttention,
    recognizeFoldedLayerNorm,
    recognizeHardSigmoid,
    recognizeLayerNorm,
    recognizeSoftmax,
    castToFp16,
    pipelines,
  ].flatMap { $0 }
}
