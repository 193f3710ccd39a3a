/// Every layer that mlc reads, in one list.
package enum KerasLayerTable {
  package static let layers: [any KerasLayer.Type] = [
    // Models and what wraps layers
    KerasModelLayer.self, KerasInputLayer.self, KerasBidirectional.self, KerasTimeDistributed.self,
    // Core
    KerasDense.self, KerasEinsumDense.self, KerasEmbedding.self, KerasMasking.self, KerasIdentity.self,
    KerasMaskOperation.self,
    // Activations
    KerasActivationLayer.self, KerasReLU.self, KerasLeakyReLU.self, KerasELU.self, KerasPReLU.self,
    KerasSoftmax.self, KerasThresholdedReLU.self,
    // Convolutions
    KerasConv.self, KerasDepthwiseConv.self, KerasSeparableConv.self, KerasConvTranspose.self,
    // Normalisation
    KerasBatchNormalization.self, KerasLayerNormalization.self, KerasGroupNormalization.self,
    KerasUnitNormalization.self, KerasRMSNormalization.self, KerasRescaling.self, KerasFeatureNormalization.self,
    // Pooling
    KerasPooling.self, KerasGlobalPooling.self,
    // Shape
    KerasFlatten.self, KerasReshape.self, KerasPermute.self, KerasRepeatVector.self, KerasZeroPadding.self,
    KerasCropping.self, KerasCenterCrop.self, KerasUpSampling.self, KerasResizing.self,
    // Merging
    KerasElementwiseMerge.self, KerasConcatenate.self, KerasDot.self,
    // Functions of tensors
    KerasOperation.self, KerasSlicing.self,
    // Attention
    KerasAttention.self, KerasMultiHeadAttention.self,
    // Recurrent
    KerasRecurrent.self, KerasRNN.self, KerasRecurrentCell.self, KerasConvLSTM.self,
    // Of keras.applications
    KerasLayerScale.self, KerasCustomScale.self,
  ]

  /// How mlc reads `node`; `nil` when it does not. Some operations of Keras 3 have the name of a layer.
  static func type(of node: KerasLayerNode) -> (any KerasLayer.Type)? {
    if KerasOperation.function(node) != nil { return KerasOperation.self }
    let type = types[node.className]
    return type is KerasOperation.Type ? nil : type
  }

  /// By class.
  private static let types: [String: any KerasLayer.Type] = Dictionary(
    layers.flatMap { type in type.classNames.map { ($0, type) } },
    uniquingKeysWith: { first, _ in first }
  )
}
