import MLCCore
import MLCGraph
import MLCOps

extension Fill: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let value = context.input("value")
    for (axis, extent) in context.outputFact().shape.enumerated() { try context.bindExtent(extent, to: "shape", axis) }
    let output = context.output()
    let reader = context.program
    try context.map("fill", to: output) { (params, _) throws(Diagnostic) in
      reader.element(value, &params, [], in: [])
    }
  }
}
