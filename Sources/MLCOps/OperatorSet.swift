import MLCGraph

/// The operators mlc knows. Adding one is one line; a test holds it equal to the files in this folder.
package enum OperatorSet {
  package static let standard: [any Operator.Type] = [
    Add.self,
    AvgPool.self,
    BatchNorm.self,
    Const.self,
    Conv.self,
    ConvTranspose.self,
    DepthToSpace.self,
    GRU.self,
    Gelu.self,
    InstanceNorm.self,
    LSTM.self,
    LayerNorm.self,
    Linear.self,
    LocalResponseNorm.self,
    LogSoftmax.self,
    MatMul.self,
    MaxPool.self,
    Mul.self,
    PixelShuffle.self,
    RNN.self,
    RealDiv.self,
    ReduceL1Norm.self,
    ReduceL2Norm.self,
    ReduceLogSum.self,
    ReduceLogSumExp.self,
    ReduceMax.self,
    ReduceMean.self,
    ReduceMin.self,
    ReduceProd.self,
    ReduceSum.self,
    ReduceSumSquare.self,
    Reshape.self,
    Resize.self,
    ScaledDotProductAttention.self,
    Softmax.self,
    SpaceToDepth.self,
    Sub.self,
    Transpose.self,
  ]

  /// By MIL name.
  package static func named(_ name: String) -> (any Operator.Type)? { byName[name] }

  private static let byName = Dictionary(uniqueKeysWithValues: standard.map { ($0.name, $0) })
}
