import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// How a network is updated, by its `NetworkUpdateParameters`.
struct NNLearning {
  private let spec: CoreML_Specification_NetworkUpdateParameters
  private let part: ModelPart

  /// `nil` for a network that says nothing of it.
  init?(_ part: ModelPart) {
    self.part = part
    switch part.spec.type {
    case .neuralNetwork(let network)? where network.hasUpdateParams: spec = network.updateParams
    case .neuralNetworkRegressor(let network)? where network.hasUpdateParams: spec = network.updateParams
    case .neuralNetworkClassifier(let network)? where network.hasUpdateParams: spec = network.updateParams
    default: return nil
    }
  }

  /// What is learnt from the values that the layers gave, `weights` being the parameters. Throws `coreml.update`.
  func learning(_ weights: [Learning.Weight], _ labels: ClassLabels?, in context: NNContext) throws(Diagnostic)
    -> LearningSource
  {
    guard spec.lossLayers.count == 1, let loss = spec.lossLayers[0].lossLayerType else {
      throw wrong("\(spec.lossLayers.count) losses, where there is one")
    }
    guard !weights.isEmpty else { throw wrong("no layer with weights that are updated") }
    let (input, target): (String, String)
    let kind: Learning.Network.Loss
    switch loss {
    case .categoricalCrossEntropyLossLayer(let layer):
      (kind, input, target) = (.crossEntropy, layer.input, layer.target)
    case .meanSquaredErrorLossLayer(let layer):
      (kind, input, target) = (.meanSquaredError, layer.input, layer.target)
    }
    let name = trainingInput(target)
    guard let result = context.values[input] else { throw wrong("a loss of '\(input)', which no layer gives") }
    let optimizer: Learning.Network.Optimizer
    var settings: [Learning.Setting]
    switch spec.optimizer.optimizerType {
    case .sgdOptimizer(let sgd)?:
      optimizer = .sgd
      settings = [
        try setting(.learningRate, sgd.learningRate), try setting(.momentum, sgd.momentum),
        try setting(.miniBatchSize, sgd.miniBatchSize, least: 1),
      ]
    case .adamOptimizer(let adam)?:
      optimizer = .adam
      settings = [
        try setting(.learningRate, adam.learningRate), try setting(.beta1, adam.beta1),
        try setting(.beta2, adam.beta2), try setting(.eps, adam.eps),
        try setting(.miniBatchSize, adam.miniBatchSize, least: 1),
      ]
    case nil: throw wrong("no optimizer")
    }
    settings.append(try setting(.epochs, spec.epochs, least: 1))
    settings.append(Learning.Setting(.shuffle, spec.shuffle.defaultValue ? 1 : 0, .values([0, 1])))
    settings.append(try setting(.seed, spec.seed))
    return LearningSource(
      Learning(.network(.init(kind, optimizer, target: name, weights: weights)), settings: settings),
      forward: context.part.forward(to: result),
      target: try form(of: name, kind, labels, context.fact(result).type)
    )
  }

  /// The training input that a loss calls `target`: a classifier's may be the label of its class instead.
  private func trainingInput(_ target: String) -> String {
    let names = part.description.trainingInput.map { $0.name }
    let label = part.description.predictedFeatureName
    return !names.contains(target) && names.contains(label) ? label : target
  }

  /// What the training input `name` is to the loss.
  private func form(
    of name: String,
    _ loss: Learning.Network.Loss,
    _ labels: ClassLabels?,
    _ result: TensorType
  ) throws(Diagnostic) -> LearningSource.Target {
    guard let feature = part.description.trainingInput.first(where: { $0.name == name }) else {
      throw wrong("no training input '\(name)', which the loss takes")
    }
    switch feature.type.type {
    case .multiArrayType(let array)?:
      let shape = array.shape.map { Int(clamping: $0) }
      let extents = shape.map { Dim($0) }
      if loss == .crossEntropy, shape.checkedProduct == 1 { return .classNumbers(extents) }
      guard let count = shape.checkedProduct, count == result.staticShape?.checkedProduct else {
        throw wrong("a target '\(name)' of the shape \(shape) for a prediction of \(result)")
      }
      return .numbers(extents)
    case .stringType?:
      guard loss == .crossEntropy, let labels, labels.dtype == .string else { break }
      return .label(labels)
    case .int64Type?:
      guard loss == .crossEntropy else { break }
      if let labels, labels.dtype == .int64 { return .label(labels) }
      return .classNumbers([1])
    case .doubleType? where loss == .meanSquaredError && result.staticShape?.checkedProduct == 1: return .numbers([])
    default: break
    }
    throw wrong("a target '\(name)' that its loss cannot take")
  }

  /// With what it may be: anything from `least` on where the model does not say.
  private func setting(
    _ key: Learning.Setting.Key,
    _ parameter: CoreML_Specification_Int64Parameter,
    least: Int = 0
  ) throws(Diagnostic) -> Learning.Setting {
    let allowed: Learning.Setting.Allowed
    switch parameter.allowedValues {
    case .range(let range)?:
      // Doubles have all integers up to here.
      let most: Int64 = 1 << 53
      let (low, high) = (Double(max(range.minValue, -most)), Double(min(range.maxValue, most)))
      guard low <= high else { throw wrong("'\(key.rawValue)' of a range from \(low) to \(high)") }
      allowed = .range(low...high)
    case .set(let set)? where !set.values.isEmpty: allowed = .values(Set(set.values).sorted().map { Double($0) })
    default: allowed = .range(Double(least)...Double(Int32.max))
    }
    return try checked(key, Double(parameter.defaultValue), allowed)
  }

  private func setting(
    _ key: Learning.Setting.Key,
    _ parameter: CoreML_Specification_DoubleParameter
  ) throws(Diagnostic) -> Learning.Setting {
    guard case .range(let range)? = parameter.allowedValues else {
      return try checked(key, parameter.defaultValue, .range(0...Double.greatestFiniteMagnitude))
    }
    guard range.minValue <= range.maxValue else {
      throw wrong("'\(key.rawValue)' of a range from \(range.minValue) to \(range.maxValue)")
    }
    return try checked(key, parameter.defaultValue, .range(range.minValue...range.maxValue))
  }

  private func checked(
    _ key: Learning.Setting.Key,
    _ value: Double,
    _ allowed: Learning.Setting.Allowed
  ) throws(Diagnostic) -> Learning.Setting {
    guard allowed.contains(value) else { throw wrong("'\(key.rawValue)' of \(value), which it does not allow") }
    return Learning.Setting(key, value, allowed)
  }

  private func wrong(_ problem: String) -> Diagnostic {
    Diagnostic("coreml.update", "how the model is updated has \(problem)", at: Location(file: part.path))
  }
}
