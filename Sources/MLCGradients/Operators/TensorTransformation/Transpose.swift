import MLCCore
import MLCGraph
import MLCOps

extension Transpose: Differentiable {
  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    var inverse = perm
    for (place, axis) in perm.enumerated() { inverse[axis < 0 ? axis + perm.count : axis] = place }
    try context.give(Formula.value(try context.gradient()).applying(Transpose(inverse)), to: "x")
  }
}
