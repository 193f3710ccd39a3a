import MLCCompiler
import MLCCore
import MLCGradients
import MLCGraph
import MLCRuntime

/// What training needs of a model, before it is code.
package protocol TrainingFunctions: Sendable {
  /// The model's inputs and the target, by name, with a first axis that counts the examples.
  var ports: [(name: String, type: TensorType)] { get }
  /// What the elements of the target may be.
  var targetElements: TargetElements { get }
  /// How many examples each step takes; `nil` where that is open.
  var fixedBatch: Int? { get }
  var hyperparameters: [Hyperparameter] { get }
  /// What changes from step to step, and what it is at first. A weight or running statistic has its own name.
  var initial: [(name: String, contents: Tensor)] { get }
  /// The trained weights that were compressed or of another type than float32.
  var expanded: [String] { get }
  /// The names of the running statistics that steps update.
  var statistics: [String] { get }
  /// What is compiled.
  var functions: [Function] { get }
  /// `settings` are the values of the hyperparameters. Throws what compiling and loading throw.
  func code(_ settings: [Tensor], _ compiler: Compiler, drivers: [any Driver]) throws(Diagnostic) -> any TrainingCode
}

/// Steps of training and their losses as code for this machine.
package protocol TrainingCode: Sendable {
  /// What a step takes for activations and gradients; `nil` where the size of batches decides.
  var arenaBytes: Int? { get }
  /// The loss of `batch` before the step; `states` are those after it.
  func train(_ batch: [Tensor], _ states: inout [Tensor]) throws(Diagnostic) -> Double
  func loss(_ batch: [Tensor], _ states: [Tensor]) throws(Diagnostic) -> Double
}
