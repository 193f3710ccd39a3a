import MLCCore
import MLCGraph

extension Function {
  /// The part of the function that computes `values`, which become its outputs under the names they have in the
  /// program. Inputs stay as they are, used or not; those of states are ordinary ones. Every value must be one of the
  /// outermost block.
  package func truncated(to values: [ValueID]) -> Function {
    var result = self
    (result.states, result.features) = ([], Features())
    result.body.operations = body.operations(for: values)
    result.body.outputs = values
    result.outputNames = values.map { self[$0].name }
    return result
  }
}
