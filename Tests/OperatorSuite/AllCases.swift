extension OperatorCase {
  /// Every case there is.
  static let all: [OperatorCase] = [
    activationCases,
    constexprCases,
    controlFlowCases,
    convCases,
    convTransposeCases,
    elementwiseBinaryCases,
    elementwiseUnaryCases,
    imageResizingCases,
    linearCases,
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
