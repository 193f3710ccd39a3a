import MLCCore
import MLCGraph
import MLCOps

extension EyeLike: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    try context.map("eye", to: context.output()) { (_, axes) throws(Diagnostic) in
      let isOn = Scalar.compare(.equal, .index(axes[1] + axes[0] * -1, .int64), .integer(k, .int64))
      return .select(isOn, .number(1, dtype), .number(0, dtype))
    }
  }
}
