import MLCCore
import MLCGraph
import MLCOps

extension Split: Differentiable {
  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    var parts: [ValueID] = []
    for place in context.operation.outputs.indices { parts.append(try context.gradient(place)) }
    try context.give(.value(try context.concat(parts, axis: axis)), to: "x")
  }
}
