import MLCCore
import MLCGraph
import MLCOps

/// `−t·ln p − (1 − t)·ln(1 − p)`, the mean over all elements: `prediction: T[*S]`, `target t: float32[*S]` from 0 to 1.
///
/// Of logits x, p being sigmoid x, it is `softplus x − t·x`, which is exact for large |x|; probabilities that a sigmoid
/// of the model makes are traced back to its logits, others are held in `[ε, 1 − ε]`, ε = 10⁻⁷.
/// Source: Keras `binary_crossentropy`, PyTorch `BCELoss` and `BCEWithLogitsLoss`.
package struct BinaryCrossEntropy: Loss {
  package var scores: ClassScores

  package init(_ scores: ClassScores) { self.scores = scores }

  package func target(of prediction: TensorType) throws(Diagnostic) -> TensorType {
    try requireFloats(prediction)
    return prediction.with(.float32)
  }

  package func targetElements(of prediction: TensorType) -> TargetElements { .probabilities }

  package func value(_ prediction: ValueID, _ target: ValueID, _ writer: inout GraphWriter) throws(Diagnostic)
    -> ValueID
  {
    let t = Formula.value(target)
    var logits = scores == .logits ? prediction : nil
    if logits == nil, let maker = writer.producer(prediction), maker.op is Sigmoid { logits = maker.inputs[0][0] }
    if let logits {
      let x = Formula.value(try writer.converted(logits, to: .float32))
      return try writer.mean(try writer.value(x.applying(Softplus()) - t * x))
    }
    let (low, high) = (ClassScores.epsilon, 1 - ClassScores.epsilon)
    let p = try writer.apply(Clip(alpha: low, beta: high), try writer.converted(prediction, to: .float32))
    let rest = try writer.value(1 - .value(p))
    let gain = t * Formula.value(p).applying(Log()) + (1 - t) * Formula.value(rest).applying(Log())
    return try writer.mean(try writer.value(-gain))
  }
}
