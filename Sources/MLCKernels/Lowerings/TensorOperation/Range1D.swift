import MLCCore
import MLCGraph
import MLCOps

extension Range1D: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let (start, step) = (context.input("start"), context.input("step"))
    let dtype = context.outputFact().dtype
    let wide = dtype.isFloat ? DType.float64 : dtype
    let output = context.output()
    try bindLength(in: &context)
    let reader = context.program
    try context.map("range", to: output) { (params, axes) throws(Diagnostic) in
      func number(_ tensor: TensorID) -> Scalar {
        let value = reader.element(tensor, &params, [], in: [])
        return dtype.isFloat ? .cast(value, wide) : value
      }
      let value = number(start) + Scalar.index(axes[0], wide) * number(step)
      return dtype.isFloat ? .cast(value, dtype) : value
    }
  }

  /// Computes a length that is not known before the program runs. What has no bound is open.
  private func bindLength(in context: inout LoweringContext) throws(Diagnostic) {
    let ports = ["end", "start", "step"]
    let facts = ports.map { context.fact($0) }
    let length = context.outputFact().shape[0]
    guard let name = length.symbol, context.isUnbound(name) else { return }
    let limit = Range1D.steps(facts[0], facts[1], facts[2])?.limit
    let bound = limit.map { Dim.largest($0, 0) }
    let tensors = ports.map { context.input($0) }
    let reader = context.program
    try context.bind(length, "length", bound: bound) { (params) throws(Diagnostic) in
      let (end, start, step) = (
        Scalar.cast(reader.element(tensors[0], &params, [], in: []), .float64),
        Scalar.cast(reader.element(tensors[1], &params, [], in: []), .float64),
        Scalar.cast(reader.element(tensors[2], &params, [], in: []), .float64)
      )
      let count = Scalar.cast(.unary(.ceil, (end - start) / step), .int64)
      return limit.map { count.within($0) } ?? .binary(.max, count, .integer(0, .int64))
    }
  }
}
