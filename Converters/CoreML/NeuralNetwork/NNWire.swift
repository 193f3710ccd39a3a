import MLCProtobuf

/// Where numbers lie in a serialised model, for `ProtobufScan`: weights of neural networks stay in the file, and types
/// of models that are not read undecoded.
enum NNWire {
  /// Messages by what they hold; the root is 0.
  private enum Message: UInt8 {
    case model, pipeline, wrappedPipeline, network, layer, weights, preprocessing, meanImage
    case convolution, activation, slope, softplus, product, batchnorm, scale, bias, recurrent, gru, lstm, lstmWeights
    case custom, branch, loop, batchedProduct, layerNorm, convolution3D
  }

  /// Field numbers of `WeightParams`, and that of `NeuralNetworkMeanImage`.
  static let floatValue: UInt32 = 1
  static let float16Value: UInt32 = 2
  static let rawValue: UInt32 = 30
  static let int8RawValue: UInt32 = 31

  static let rules: [ProtobufScan.Rule] =
    rule(.model, [303, 403, 500], .network) + rule(.model, [200, 201], .wrappedPipeline)
    + rule(.model, [202], .pipeline) + rule(.wrappedPipeline, [1], .pipeline) + rule(.pipeline, [1], .model)
    + rule(.model, OtherModel.table.map(\.field), nil)
    + rule(.network, [1], .layer) + rule(.network, [2], .preprocessing)
    + rule(.preprocessing, [11], .meanImage) + rule(.meanImage, [1], nil)
    + rule(.weights, [floatValue, float16Value, rawValue, int8RawValue], nil)
    + layers + parameters

  private static let layers: [ProtobufScan.Rule] =
    rule(.layer, [100], .convolution) + rule(.layer, [130], .activation)
    + rule(.layer, [140, 150, 1040], .product) + rule(.layer, [160], .batchnorm) + rule(.layer, [245], .scale)
    + rule(.layer, [250, 290, 1070], .bias) + rule(.layer, [400], .recurrent) + rule(.layer, [410], .gru)
    + rule(.layer, [420, 430], .lstm) + rule(.layer, [500], .custom) + rule(.layer, [605], .branch)
    + rule(.layer, [615], .loop) + rule(.layer, [1045], .batchedProduct) + rule(.layer, [1350], .layerNorm)
    + rule(.layer, [1471], .convolution3D)

  private static let parameters: [ProtobufScan.Rule] =
    rule(.convolution, [90, 91], .weights) + rule(.activation, [25], .slope) + rule(.activation, [71], .softplus)
    + rule(.slope, [1], .weights) + rule(.softplus, [1, 2], .weights) + rule(.product, [20, 21], .weights)
    + rule(.batchnorm, [15, 16, 17, 18], .weights) + rule(.scale, [2, 5], .weights) + rule(.bias, [2], .weights)
    + rule(.recurrent, [30, 31, 32], .weights)
    + rule(.gru, [30, 31, 32, 50, 51, 52, 70, 71, 72], .weights) + rule(.lstm, [20], .lstmWeights)
    + rule(.lstmWeights, [1, 2, 3, 4, 20, 21, 22, 23, 40, 41, 42, 43, 60, 61, 62], .weights)
    + rule(.custom, [20], .weights) + rule(.branch, [1, 2], .network) + rule(.loop, [3, 4], .network)
    + rule(.batchedProduct, [8, 9], .weights) + rule(.layerNorm, [3, 4], .weights)
    + rule(.convolution3D, [60, 61], .weights)

  private static func rule(_ message: Message, _ fields: [UInt32], _ next: Message?) -> [ProtobufScan.Rule] {
    fields.map { .init(message.rawValue, $0, next?.rawValue) }
  }
}
