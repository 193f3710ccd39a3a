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
    elementwiseUnaryCases, castCases, castTextCases,
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
    textCases,
    treeEnsembleCases,
  ].flatMap { $0 }
}
