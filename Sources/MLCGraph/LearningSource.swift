import MLCCore

/// How a source model says that it learns.
package struct LearningSource: Sendable {
  /// What an example has beside the model's inputs, all in one feature.
  package enum Target: Sendable {
    /// As many numbers as a prediction has, of this shape.
    case numbers([Int])
    /// The number of a class, one element of int32 with this shape.
    case classNumber([Int])
    /// The label of a class.
    case label(ClassLabels)
    /// The label of a sample, which nothing is computed of.
    case sample
  }

  package var learning: Learning
  /// From the first function's inputs to the only output that learning needs: the prediction that a loss compares with
  /// the target, or the row of a sample. A network's weights are its parameters.
  package var forward: Function
  package var target: Target

  package init(_ learning: Learning, forward: Function, target: Target) {
    (self.learning, self.forward, self.target) = (learning, forward, target)
  }
}
