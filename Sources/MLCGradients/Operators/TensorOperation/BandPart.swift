import MLCCore
import MLCGraph
import MLCOps

extension BandPart: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g.applying(self) }
}

extension Trilu: Differentiable {
  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    let g = try context.gradient()
    try context.give(.value(try context.apply(self, g, context[optional: "k"])), to: "x")
  }
}
