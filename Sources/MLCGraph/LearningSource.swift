import MLCCore

/// How a model learns where it runs, as its source says or who compiles it.
package struct LearningSource: Sendable {
  /// What an example has beside the model's inputs, all in one feature.
  package enum Target: Sendable {
    /// As many numbers as a prediction has, of this shape.
    case numbers([Dim])
    /// The numbers of classes, of int32 with this shape.
    case classNumbers([Dim])
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
