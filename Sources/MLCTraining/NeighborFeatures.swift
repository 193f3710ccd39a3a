import MLCCore
import MLCGraph

/// The function of a compiled package that gives the row of a sample to nearest neighbours that learn.
package enum NeighborFeatures {
  /// `source.forward` as `learning.features`, which takes those inputs that the row is made of, in their order.
  package static func function(_ source: LearningSource) -> Function {
    var function = source.forward
    function.name = Learning.features
    function.body.operations = function.body.operations(for: function.body.outputs)
    let uses = Set(function.body.uses)
    function.inputs.removeAll { !uses.contains($0) }
    let names = Set(function.inputs.map { function[$0].name })
    function.features.inputs.removeAll { !names.isSuperset(of: $0.ports) }
    return function
  }
}
