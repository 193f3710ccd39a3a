import MLCCore
import MLCGraph
import MLCOps

/// `−Σ t·ln p` along the axis of the classes, the mean over all others: `prediction: T[*S]`.
///
/// Targets are the numbers of classes, `int32[*S without the axis]`, each the one that t is 1 of, or t itself,
/// `float32[*S]`. Of logits x, p being their softmax, `ln p` is their log-softmax, which is exact for distant x;
/// probabilities that a softmax of the model makes are traced back to its logits, others are held in `[ε, 1 − ε]`,
/// ε = 10⁻⁷. Source: Core ML `CategoricalCrossEntropyLossLayer`, Keras `categorical_crossentropy` and
/// `sparse_categorical_crossentropy`, PyTorch `CrossEntropyLoss`.
package struct CategoricalCrossEntropy: Loss {
  package enum Targets: String, Sendable, CaseIterable { case classes, probabilities }

  package var scores: ClassScores
  package var targets: Targets
  package var axis = -1

  package init(_ scores: ClassScores, targets: Targets, axis: Int = -1) {
    (self.scores, self.targets, self.axis) = (scores, targets, axis)
  }

  package func target(of prediction: TensorType) throws(Diagnostic) -> TensorType {
    try requireFloats(prediction)
    let rank = prediction.rank
    guard axis >= -rank, axis < rank else { throw refusal("the prediction is \(prediction), without axis \(axis)") }
    if targets == .probabilities { return prediction.with(.float32) }
    var shape = prediction.shape
    shape.remove(at: axis < 0 ? axis + rank : axis)
    return TensorType(.int32, shape)
  }

  package func targetElements(of prediction: TensorType) -> TargetElements {
    let place = axis < 0 ? axis + prediction.rank : axis
    return targets == .classes ? .classes(prediction.shape[place].constant) : .distributions(axis: place)
  }

  package func value(_ prediction: ValueID, _ target: ValueID, _ writer: inout GraphWriter) throws(Diagnostic)
    -> ValueID
  {
    let rank = writer.fact(prediction).rank
    let place = axis < 0 ? axis + rank : axis
    let logarithms = try self.logarithms(prediction, place, rank, &writer)
    if targets == .classes {
      let chosen = try writer.apply(ExpandDims([place]), target)
      let picked = try writer.apply(GatherAlongAxis(axis: place), logarithms, chosen)
      return try writer.mean(try writer.value(-.value(picked)))
    }
    let terms = try writer.value(.value(target) * .value(logarithms))
    let sums = try writer.apply(ReduceSum(axes: [place]), terms)
    return try writer.mean(try writer.value(-.value(sums)))
  }

  /// `ln p` in float32.
  private func logarithms(_ prediction: ValueID, _ place: Int, _ rank: Int, _ writer: inout GraphWriter)
    throws(Diagnostic) -> ValueID
  {
    var logits = scores == .logits ? prediction : nil
    if logits == nil, let maker = writer.producer(prediction), let op = maker.op as? Softmax,
      try normalized(axis: op.axis, rank: rank, "softmax") == place
    {
      logits = maker.inputs[0][0]
    }
    if let logits { return try writer.apply(LogSoftmax(axis: place), try writer.converted(logits, to: .float32)) }
    let bounds = Clip(alpha: ClassScores.epsilon, beta: 1 - ClassScores.epsilon)
    return try writer.apply(Log(), try writer.apply(bounds, try writer.converted(prediction, to: .float32)))
  }
}
