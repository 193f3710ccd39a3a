import MLCCore
import MLCGraph
import MLCOps

/// How far a prediction is from a target, as one number that training makes small.
package protocol Loss: Sendable {
  /// What the target of a prediction of this type is. Throws `gradient.loss` for a prediction that has none.
  func target(of prediction: TensorType) throws(Diagnostic) -> TensorType
  /// What the elements of such a target may be.
  func targetElements(of prediction: TensorType) -> TargetElements
  /// The loss, a scalar of type float32.
  func value(_ prediction: ValueID, _ target: ValueID, _ writer: inout GraphWriter) throws(Diagnostic) -> ValueID
}

/// What the elements of a loss' targets may be.
package enum TargetElements: Hashable, Sendable {
  /// Any finite number.
  case numbers
  /// From 0 to 1.
  case probabilities
  /// From 0 to 1, and 1 together along an axis.
  case distributions(axis: Int)
  /// Numbers of classes, from 0 to below their count where it is known.
  case classes(Int?)
}

/// What a prediction of classes consists of.
package enum ClassScores: String, Sendable, CaseIterable {
  /// Numbers that a softmax or a sigmoid makes probabilities of.
  case logits
  case probabilities

  /// The smallest probability that a loss is computed of, and 1 minus the largest, as Keras has it.
  static let epsilon = 1e-7
}

extension Loss {
  /// Throws `gradient.loss` unless the elements of `prediction` are floats.
  func requireFloats(_ prediction: TensorType) throws(Diagnostic) {
    guard prediction.dtype.isFloat else { throw refusal("the prediction is \(prediction), and no floats") }
  }

  func refusal(_ message: String) -> Diagnostic { Diagnostic("gradient.loss", message, kind: .usage) }
}

extension GraphWriter {
  /// The mean of all elements, a scalar of type float32.
  mutating func mean(_ x: ValueID) throws(Diagnostic) -> ValueID {
    try converted(fact(x).rank == 0 ? x : try apply(ReduceMean(axes: []), x), to: .float32)
  }
}
