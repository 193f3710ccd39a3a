import MLCCore
import MLCGradients
import MLCGraph
import MLCOps

/// The functions by which a network learns where it runs.
struct NetworkLearning {
  private let source: LearningSource
  private let network: Learning.Network
  private let loss: any Loss
  private let optimizer: any Optimizer
  /// The hyperparameters that no update sets.
  private let fixed: [String: Double]
  /// The weights among the inputs of `source.forward`, in the network's order.
  private let weights: [ValueID]

  /// As Core ML's networks learn.
  init(_ source: LearningSource, _ network: Learning.Network) {
    let optimizer: any Optimizer = network.optimizer == .sgd ? SGD(momentum: true) : Adam()
    self.init(source, network, NetworkLearning.loss(source, network), optimizer, fixed: [:])
  }

  init(
    _ source: LearningSource,
    _ network: Learning.Network,
    _ loss: any Loss,
    _ optimizer: any Optimizer,
    fixed: [String: Double]
  ) {
    (self.source, self.network) = (source, network)
    (self.loss, self.optimizer, self.fixed) = (loss, optimizer, fixed)
    let forward = source.forward
    weights = network.weights.map { weight in
      guard let parameter = forward.parameters.first(where: { $0.name == weight.parameter }) else {
        preconditionFailure("no parameter '\(weight.parameter)'")
      }
      return forward.inputs[parameter.input]
    }
  }

  func step() throws(Diagnostic) -> Function {
    let forward = source.forward
    return try SummedStep.function(weights.map { (forward[$0].name, forward.type($0)) }, optimizer, fixed: fixed)
  }

  func gradients() throws(Diagnostic) -> Function {
    var function = try ExampleGradients.function(source.forward, weights: weights, loss) {
      (writer, wanted) throws(Diagnostic) in try target(wanted, &writer)
    }
    if case .label(let labels) = source.target, labels.dtype == .int64 {
      function.features.inputs.append(Feature(network.target, .number))
    }
    return function
  }

  /// What the elements of an example's target may be, those of many examples following each other.
  var targetElements: TargetElements {
    let wanted = source.forward.type(source.forward.outputs[0])
    let elements = loss.targetElements(of: wanted)
    switch (source.target, elements) {
    case (.label(let labels), _): return .classes(labels.count)
    case (.numbers(let shape), .distributions(let axis)):
      return shape == wanted.shape ? .distributions(axis: axis + 1) : .probabilities
    default: return elements
    }
  }

  private static func loss(_ source: LearningSource, _ network: Learning.Network) -> any Loss {
    switch network.loss {
    case .meanSquaredError: return MeanSquaredError()
    case .binaryCrossEntropy: return BinaryCrossEntropy(.probabilities)
    case .crossEntropy:
      var targets = CategoricalCrossEntropy.Targets.probabilities
      if case .classNumbers = source.target { targets = .classes }
      return CategoricalCrossEntropy(.probabilities, targets: targets, axis: axis(of: source.forward))
    }
  }

  /// Where the classes of a prediction lie: where its softmax has them, else along the only axis that is longer than 1,
  /// or the last.
  private static func axis(of forward: Function) -> Int {
    let result = forward.outputs[0]
    if let maker = forward.body.operations.first(where: { $0.outputs.contains(result) })?.op as? Softmax {
      return maker.axis
    }
    let long = forward.type(result).shape.indices.filter { forward.type(result).shape[$0] != 1 }
    return long.count == 1 ? long[0] : -1
  }

  /// An input for the target, as the loss takes it.
  private func target(_ wanted: TensorType, _ writer: inout GraphWriter) throws(Diagnostic) -> ValueID {
    let value: ValueID
    switch source.target {
    case .numbers(let shape): value = writer.input(network.target, TensorType(wanted.dtype, shape))
    case .classNumbers(let shape):
      let given = writer.input(network.target, TensorType(wanted.dtype, shape))
      // Indices below 0 count from the end; classes do not.
      let first = writer.constant(.scalar(wanted.dtype, 0), "first")
      let least = shape.isEmpty ? given : try writer.apply(ReduceMin(axes: []), given)
      value = try writer.apply(Ensure(), given, try writer.apply(GreaterEqual(), least, first))
    case .label(let labels):
      let given = writer.input(network.target, TensorType(labels.dtype, [Dim]()))
      let all = writer.constant(labels.tensor, "labels")
      let isOwn = try writer.apply(Cast(.float32), try writer.apply(Equal(), all, given))
      let found = try writer.apply(ReduceMax(axes: [0]), isOwn)
      let isKnown = try writer.apply(Greater(), found, writer.constant(.scalar(.float32, 0), "zero"))
      value = try writer.apply(Ensure(), isOwn, isKnown)
    case .sample: preconditionFailure("a network learns of no samples")
    }
    if writer.fact(value).shape == wanted.shape { return value }
    return try writer.apply(Reshape(), value, writer.constant(.shape(wanted.staticShape ?? []), "target_shape"))
  }
}
