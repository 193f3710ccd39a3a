import MLCCore
import MLCGraph
import MLCOps

extension Identity: Lowerable {
  package func lower(in context: inout LoweringContext) { context.setOutput(to: context.input("x")) }
}
