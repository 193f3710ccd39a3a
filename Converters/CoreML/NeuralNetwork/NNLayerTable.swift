/// Every layer that mlc reads.
enum NNLayerTable {
  private static let rules: [any NNLayerRule.Type] = [
    NNActivation.self,
    NNArithmetic.self,
    NNBand.self,
    NNBatchedMatmul.self,
    NNBatchnorm.self,
    NNBounded.self,
    NNBranch.self,
    NNBroadcast.self,
    NNCategorical.self,
    NNComparison.self,
    NNConcat.self,
    NNConstantPad.self,
    NNConvolution.self,
    NNConvolution3D.self,
    NNCopy.self,
    NNCrop.self,
    NNCropResize.self,
    NNCustom.self,
    NNDot.self,
    NNElementwise.self,
    NNEmbedding.self,
    NNFill.self,
    NNFlatten.self,
    NNGather.self,
    NNGetShape.self,
    NNGRU.self,
    NNInnerProduct.self,
    NNL2Normalize.self,
    NNLayerNormalization.self,
    NNLoadConstant.self,
    NNLocalResponse.self,
    NNLogic.self,
    NNLoop.self,
    NNLoopEnd.self,
    NNLSTM.self,
    NNMeanVariance.self,
    NNNonMaximumSuppression.self,
    NNOneHot.self,
    NNOrdering.self,
    NNPadding.self,
    NNPooling.self,
    NNPooling3D.self,
    NNRandom.self,
    NNRange.self,
    NNReduce.self,
    NNReductions.self,
    NNReorganize.self,
    NNReshape.self,
    NNReshapes.self,
    NNResizeBilinear.self,
    NNReverse.self,
    NNScaleBias.self,
    NNScatter.self,
    NNSimpleRecurrent.self,
    NNSlice.self,
    NNSliceBySize.self,
    NNSlices.self,
    NNSlidingWindows.self,
    NNSoftmax.self,
    NNSplit.self,
    NNSqueeze.self,
    NNTile.self,
    NNTranspose.self,
    NNUnary.self,
    NNUpsample.self,
    NNWhere.self,
  ]

  private static let byKind: [String: any NNLayerRule.Type] = {
    var result: [String: any NNLayerRule.Type] = [:]
    for rule in rules { for kind in rule.kinds { result[kind] = rule } }
    return result
  }()

  static func rule(_ kind: String) -> (any NNLayerRule.Type)? { byKind[kind] }

  /// The layers that networks with arrays of the old form have; all later ones count axes of five.
  static let legacyKinds: Set<String> = [
    "activation", "add", "average", "batchnorm", "bias", "biDirectionalLSTM", "concat", "convolution", "crop",
    "custom", "dot", "embedding", "flatten", "gru", "innerProduct", "l2normalize", "loadConstant", "lrn", "max", "min",
    "multiply", "mvn", "padding", "permute", "pooling", "reduce", "reorganizeData", "reshape", "resizeBilinear",
    "scale",
    "sequenceRepeat", "simpleRecurrent", "slice", "softmax", "split", "unary", "uniDirectionalLSTM", "upsample",
  ]
}
