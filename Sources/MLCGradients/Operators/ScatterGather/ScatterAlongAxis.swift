import MLCCore
import MLCGraph
import MLCOps

/// An operator that changes elements of `data` by `updates`.
private protocol Scattering: Differentiable {
  var mode: String { get }
  /// What reads the updates' places.
  var reading: any Operator { get }
}

extension Scattering {
  package func gradientObstacle(_ inputs: Operands<Fact>) -> String? {
    ["update", "add", "sub"].contains(mode) ? nil : "mode '\(mode)' has none"
  }

  /// Elements that are replaced have no gradient. Of updates of one element all count as if they were alone, as in
  /// PyTorch.
  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    let g = try context.gradient()
    let indices = context["indices"]
    if mode == "update" {
      let zeros = try context.zeros(like: context["updates"])
      try context.give(.value(try context.apply(self, g, indices, zeros)), to: "data")
    } else {
      try context.give(.value(g), to: "data")
    }
    let read = Formula.value(try context.apply(reading, g, indices))
    try context.give(mode == "sub" ? -read : read, to: "updates")
  }
}

extension ScatterAlongAxis: Differentiable, Scattering {
  fileprivate var reading: any Operator { GatherAlongAxis(axis: axis) }
}

extension ScatterNd: Differentiable, Scattering {
  fileprivate var reading: any Operator { GatherNd() }
}
