extension PassPipeline {
  /// What every compilation runs.
  package static let standard = PassPipeline(
    [CountSignedBytes(), RecognizeIntegerConv(), RecognizeIntegerMatmul(), InvertQuantizationScale()] + portable.passes
      + [TrimConvTaps(), SinkNearestResizes(), PlanesOfConv1D(), SinkSqueezes(), RecognizeAttention()]
  )

  /// Those of `standard` that use only operators which Core ML has had from its first ML Programs on.
  package static let portable = PassPipeline([
    InlineConstantCond(),
    MergeReshapes(),
    MergeTransposes(),
    SinkTransposes(),
    FusePadIntoConv(),
    MergeConstantArithmetic(),
    SinkScales(),
    RecognizeHardSigmoid(),
    RecognizeActivations(),
    RecognizeLayerNorm(),
    RecognizeFoldedLayerNorm(),
    FuseLayerNormAffine(),
    RecognizeSoftmax(),
    FuseMatmulBias(),
    FuseConvBatchNorm(),
    FuseAffineIntoConv(),
  ])
}
