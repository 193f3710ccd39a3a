import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

extension NNImporter {
  /// Declares an input and brings it to the form that the layers see. Throws `coreml.type`.
  func addInput(_ feature: MLFeature, _ form: NNLegacyForm, to context: inout NNContext) throws(Diagnostic) {
    context.layer = NNLayer(named: feature.name)
    if context.part.isOutermost { context.part.describe(input: feature) }
    switch feature.type.type {
    case .imageType?: context.values[feature.name] = try image(feature, form, in: &context)
    case .multiArrayType(let array)?:
      guard !network.preprocessing.contains(where: { $0.featureName == feature.name }) else {
        throw NNContext.unsupported("preprocessing of '\(feature.name)', which is no image, is not supported")
      }
      let dtype: DType = array.dataType == .int32 ? .int32 : .float32
      let described = try FeatureShape(array: feature, zerosAreOpen: context.part.part.isKraken)
      if context.part.isOutermost { described.declare(in: &context.builder.function) }
      let value = try arrayInput(feature, described.shape, dtype, form, in: &context)
      context.values[feature.name] = dtype == .int32 ? try context.number(value) : value
    case .int64Type?, .doubleType?:
      let isInteger = if case .int64Type? = feature.type.type { true } else { false }
      let dtype: DType = isInteger ? .int32 : .float32
      let value = try arrayInput(feature, [1], dtype, form, in: &context)
      context.values[feature.name] = dtype == .int32 ? try context.number(value) : value
    default:
      throw Diagnostic(
        "coreml.type",
        "input '\(feature.name)' is neither an array nor an image",
        kind: .unsupported
      )
    }
  }

  /// An array as the caller gives it, and as the layers see it.
  private func arrayInput(
    _ feature: MLFeature,
    _ shape: [Dim],
    _ dtype: DType,
    _ form: NNLegacyForm,
    in context: inout NNContext
  ) throws(Diagnostic) -> ValueID {
    guard let rank = context.legacyRank else { return try context.part.port(feature.name, TensorType(dtype, shape)) }
    if shape.count == 1, context.part.isOutermost, form.sequences.contains(feature.name) {
      context.builder.function.bounds["sequence"] = 1...Int.max
      return try context.part.port(feature.name, TensorType(dtype, ["sequence", 1, shape[0], 1, 1]))
    }
    let value = try context.part.port(feature.name, TensorType(dtype, shape))
    switch shape.count {
    case 1: return try context.reshape(value, [Dim](repeating: 1, count: rank - 3) + shape + [1, 1])
    case 3: return try context.reshape(value, [Dim](repeating: 1, count: rank - 3) + shape)
    case 4: return try context.reshape(value, [Dim](repeating: 1, count: rank - 4) + shape)
    case 5 where rank == 5: return value
    case 5: return try context.reshape(value, [shape[0] * shape[1]] + shape[2...])
    default:
      let axes = "\(shape.count) axes; such networks take 1, 3, 4 or 5"
      throw Diagnostic("coreml.type", "input '\(feature.name)' has \(axes)")
    }
  }

  /// Pixels `[1, C, H, W]`, preprocessed, as the layers see them.
  private func image(_ feature: MLFeature, _ form: NNLegacyForm, in context: inout NNContext) throws(Diagnostic)
    -> ValueID
  {
    let described = try FeatureShape(image: feature)
    if context.part.isOutermost { described.declare(in: &context.builder.function) }
    var value = try context.part.port(feature.name, TensorType(.float32, described.shape))
    for step in network.preprocessing where [feature.name, ""].contains(step.featureName) {
      value = try preprocessed(value, step, feature, in: &context)
    }
    if context.legacyRank == 4 || context.legacyRank == nil && network.hasBatchedImages { return value }
    return try context.reshape(value, [1] + described.shape)
  }

  /// `channelScale · x + bias` with the bias of each colour, or `x − mean`.
  private func preprocessed(
    _ x: ValueID,
    _ step: CoreML_Specification_NeuralNetworkPreprocessing,
    _ feature: MLFeature,
    in context: inout NNContext
  ) throws(Diagnostic) -> ValueID {
    switch step.preprocessor {
    case .scaler(let scaler)?:
      let colours = [scaler.redBias, scaler.greenBias, scaler.blueBias]
      let biases =
        FeatureShape.isGray(feature)
        ? [scaler.grayBias] : feature.type.imageType.colorSpace == .bgr ? colours.reversed() : colours
      let scaled =
        scaler.channelScale == 1 ? x : try context.emit(Mul(), x, context.scalar(Double(scaler.channelScale)))
      guard biases.contains(where: { $0 != 0 }) else { return scaled }
      return try context.emit(Add(), scaled, context.constant(Tensor([biases.count, 1, 1], floats: biases), "bias"))
    case .meanImage(let mean)?:
      guard let shape = context.fact(x).type.staticShape else {
        throw NNContext.unsupported("a mean image needs an input of fixed size")
      }
      let pixels = try network.weights.floats(mean, count: shape.checkedProduct)
      return try context.emit(Sub(), x, context.constant(pixels.reshaped(Array(shape.dropFirst())), "mean"))
    case nil: return x
    }
  }
}
