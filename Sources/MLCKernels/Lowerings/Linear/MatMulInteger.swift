import MLCCore
import MLCGraph
import MLCOps

extension MatMulInteger: Lowerable {
  /// Σ (x − z) · w is Σ x · w − z · Σ w. Kernels multiply uint8 by int8: a signed x is counted from −128.
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.fact("x")
    context.requireEqual(x.shape[x.rank - 1], context.fact("weight").shape[1])
    let isSigned = x.dtype == .int8
    let data = isSigned ? try context.countedBytes("x") : context.input("x")
    let weight = context.input("weight")
    let result = context.outputFact()
    let (rows, columns) = (x.shape.dropLast().reduce(1, *), context.program[weight].shape[0])
    let output = result.rank == 2 ? context.output() : context.temporary("rows", .int32, [rows, columns])
    if result.rank != 2 { context.setOutput(to: output) }
    let sums = try weightSums(in: &context)
    var params = KernelParams()
    var matmul = Matmul(
      batch: [],
      m: Axis(0, rows),
      n: Axis(1, columns),
      k: Axis(2, x.shape[x.rank - 1]),
      lhs: .init(params.read(context.alias(data, [rows, x.shape[x.rank - 1]])), [.axis(0), .axis(2)]),
      rhs: .init(params.read(weight), [.axis(1), .axis(2)]),
      output: .init(params.write(output), [.axis(0), .axis(1)]),
      epilogue: .accumulator
    )
    let offset = Scalar.integer(isSigned ? 128 : 0, .int32)
    let zero = context.optionalInput("x_zero_point").map { .cast(params.load($0, []), .int32) + offset } ?? offset
    if zero != .integer(0, .int32) { matmul.epilogue = .accumulator - zero * params.load(sums, [.axis(1)]) }
    context.append("matmul_integer", params, .matmul(matmul))
  }

  /// Σ weight[o, i] over i, int32.
  private func weightSums(in context: inout LoweringContext) throws(Diagnostic) -> TensorID {
    let weight = context.input("weight")
    let shape = context.program[weight].shape
    if let value = context.fact("weight").value {
      let (numbers, depth) = (value.integers, value.shape[1])
      let sums = (0..<value.shape[0]).map { numbers[$0 * depth..<($0 + 1) * depth].reduce(0, +) }
      return context.constant(Tensor(.int32, [sums.count], sums), "sums")
    }
    let sums = context.temporary("sums", .int32, [shape[0]])
    var params = KernelParams()
    let value = Scalar.cast(params.load(weight, [.axis(0), .axis(1)]), .int32)
    let stages: [LoopNest.Stage] = [
      .reduce(.sum, axes: [Axis(1, shape[1])], value: value),
      .store(param: params.write(sums), index: [.axis(0)], axes: [], value: .stage(0)),
    ]
    context.append("reduce_sum", params, .loopNest(LoopNest([Axis(0, shape[0])], stages)))
    return sums
  }
}

extension LoweringContext {
  /// The int8 argument `name` plus 128, as uint8.
  mutating func countedBytes(_ name: String) throws(Diagnostic) -> TensorID {
    let x = input(name)
    let result = temporary("counted", .uint8, program[x].shape)
    try map("cast", to: result) { (params, axes) in
      .cast(.cast(params.load(x, axes), .int32) + .integer(128, .int32), .uint8)
    }
    return result
  }
}
