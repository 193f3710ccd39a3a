import MLCCore
import MLCGraph

/// The function of a compiled package that gives the row of a sample to nearest neighbours that learn.
package enum NeighborFeatures {
  /// `source.forward` as `learning-features`.
  package static func function(_ source: LearningSource) -> Function {
    var function = source.forward
    function.name = Learning.features
    function.body.operations = function.body.operations(for: function.body.outputs)
    return function
  }
}
