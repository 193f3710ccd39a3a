import MLCCore
import MLCGradients
import MLCGraph
import MLCOps

/// The functions by which a network learns where it runs.
struct NetworkLearning {
  private let source: LearningSource
  private let network: Learning.Network
  /// The weights among the inputs of `source.forward`, in the network's order.
  private let weights: [ValueID]

  init(_ source: LearningSource, _ network: Learning.Network) {
    (self.source, self.network) = (source, network)
    let forward = source.forward
    weights = network.weights.map { weight in
      guard let parameter = forward.parameters.first(where: { $0.name == weight.parameter }) else {
        preconditionFailure("no parameter '\(weight.parameter)'")
      }
      return forward.inputs[parameter.input]
    }
  }

  func step() throws(Diagnostic) -> Function {
    let optimizer: any Optimizer =
      switch network.optimizer {
      case .sgd: SGD(momentum: true)
      case .adam: Adam()
      }
    let forward = source.forward
    return try SummedStep.function(weights.map { (forward[$0].name, forward.type($0)) }, optimizer)
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

  private var loss: any Loss {
    switch (network.loss, source.target) {
    case (.meanSquaredError, _): MeanSquaredError()
    case (.crossEntropy, .classNumber): CategoricalCrossEntropy(.probabilities, targets: .classes, axis: axis)
    case (.crossEntropy, _): CategoricalCrossEntropy(.probabilities, targets: .probabilities, axis: axis)
    }
  }

  /// Where the classes of a prediction lie: where its softmax has them, else along the only axis that is longer than 1,
  /// or the last.
  private var axis: Int {
    let forward = source.forward
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
    case .numbers(let shape): value = writer.input(network.target, TensorType(wanted.dtype, shape.map { Dim($0) }))
    case .classNumber(let shape):
      let given = writer.input(network.target, TensorType(wanted.dtype, shape.map { Dim($0) }))
      // Indices below 0 count from the end; classes do not.
      let first = writer.constant(.scalar(wanted.dtype, 0), "first")
      value = try writer.apply(Ensure(), given, try writer.apply(GreaterEqual(), given, first))
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
