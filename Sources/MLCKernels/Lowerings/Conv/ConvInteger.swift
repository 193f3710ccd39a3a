import MLCCore
import MLCGraph
import MLCOps

extension ConvInteger: Lowerable {
  /// Σ (x − z) · w is Σ x · w − z · Σ w, where x is z in its padding. Kernels multiply uint8 by int8: a signed x is
  /// counted from −128.
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let zero =
      context.operation.argument("x_zero_point") == nil ? .scalar(.int32, 0) : context.fact("x_zero_point").value
    guard let zero, let weight = context.fact("weight").value, weight.count > 0 else {
      return try lowerCentred(in: &context)
    }
    let isSigned = context.fact("x").dtype == .int8
    let fill = zero.integers[0] + (isSigned ? 128 : 0)
    let size = weight.count / weight.shape[0]
    let numbers = weight.integers
    let sums = (0..<weight.shape[0]).map { -fill &* numbers[$0 * size..<($0 + 1) * size].reduce(0, +) }
    let reads = Conv.Reads(
      x: isSigned ? try context.countedBytes("x") : context.input("x"),
      weight: context.input("weight"),
      addend: fill == 0 ? nil : context.constant(Tensor(.int32, [sums.count], sums), "zero"),
      family: "conv_integer",
      fill: fill
    )
    try real.lower(reads, in: &context)
  }

  /// The convolution of int32, for a zero point or a weight that comes as the program runs.
  private func lowerCentred(in context: inout LoweringContext) throws(Diagnostic) {
    let (x, weight) = (context.input("x"), context.input("weight"))
    let zero = context.optionalInput("x_zero_point")
    let data = context.temporary("centred", .int32, context.program[x].shape)
    try context.map("sub", to: data) { (params, axes) in
      let value = Scalar.cast(params.load(x, axes), .int32)
      return zero.map { value - .cast(params.load($0, []), .int32) } ?? value
    }
    let factor = context.temporary("weight", .int32, context.program[weight].shape)
    try context.map("cast", to: factor) { (params, axes) in .cast(params.load(weight, axes), .int32) }
    try real.lower(Conv.Reads(x: data, weight: factor, addend: nil, family: "conv_integer"), in: &context)
  }
}
