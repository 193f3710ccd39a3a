extension PassPipeline {
  /// What every compilation runs.
  package static let standard = PassPipeline([
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
    FuseLayerNormAffine(),
    RecognizeSoftmax(),
    FuseMatmulBias(),
    FuseConvBatchNorm(),
    FuseAffineIntoConv(),
  ])

  /// `standard` and `scaled_dot_product_attention` where it is recognised.
  package static let withAttention = PassPipeline(standard.passes + [RecognizeAttention()])
}
