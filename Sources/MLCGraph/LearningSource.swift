import MLCCore

/// How a source model says that it learns.
package struct LearningSource: Sendable {
  /// What an example's target is.
  package enum Target: Sendable {
    /// Numbers of the prediction's shape.
    case numbers
    /// The number of a class, one element of int32.
    case classNumber
    /// The label of a class.
    case label(ClassLabels)
  }

  package var learning: Learning
  /// From the first function's inputs to the only output that learning needs: the prediction that a loss compares with
  /// the target, or the row of a sample. A network's weights are constants called as its parameters are.
  package var forward: Function
  package var target: Target

  package init(_ learning: Learning, forward: Function, target: Target) {
    (self.learning, self.forward, self.target) = (learning, forward, target)
  }
}
