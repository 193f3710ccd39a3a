extension OperatorCase {
  /// Every case there is.
  static let all: [OperatorCase] = [
    activationCases,
    constexprCases,
    controlFlowCases,
    convCases,
    convIntegerCases,
    convTransposeCases,
    elementwiseBinaryCases,
    elementwiseUnaryCases, castCases,
    imageResizingCases,
    linearCases,
    matMulIntegerCases,
    normalizationCases,
    padCases,
    poolCases,
    recurrentCases,
    reductionCases,
    scaledDotProductAttentionCases,
    scatterGatherCases,
    sliceByIndexCases,
    tensorOperationCases,
    tensorTransformationCases,
    treeEnsembleCases,
  ].flatMap { $0 }
}
