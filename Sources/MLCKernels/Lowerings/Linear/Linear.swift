import MLCCore
import MLCGraph
import MLCOps

extension MatMul: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let (x, y) = (context.input("x"), context.input("y"))
    let (left, right) = (context.program[x].shape, context.program[y].shape)
    let depth = left.count == 1 ? left[0] : left[left.count - (transposeX ? 2 : 1)]
    context.requireEqual(depth, right.count == 1 ? right[0] : right[right.count - (transposeY ? 1 : 2)])
    if right.count == 2, left.count > 2, !transposeX {
      return context.lowerProduct(flat: x, weight: y, transposed: transposeY, bias: nil, family: "matmul")
    }
    let result = context.outputFact().shape
    let batch = max(max(left.count, right.count) - 2, 0)
    for shape in [left, right] { context.requireBroadcast(shape.dropLast(2), to: Array(result.prefix(batch))) }
    let (m, n, k) = (batch, batch + 1, batch + 2)
    let isRow = left.count == 1
    let isColumn = right.count == 1
    func operand(_ tensor: TensorID, _ shape: [Dim], _ last: [Int]) -> Matmul.Access {
      let leading = (0..<batch).map { Index.axis($0) }
      var shape = Array(shape.dropLast(last.count))
      shape = Array(shape)
      let lead = context.broadcast(extents: shape, leading, to: Array(result.prefix(batch)))
      return Matmul.Access(0, lead + last.map { .axis($0) })
    }
    var lhs = operand(x, left, isRow ? [k] : transposeX ? [k, m] : [m, k])
    var rhs = operand(y, right, isColumn ? [k] : transposeY ? [n, k] : [k, n])
    var params = KernelParams()
    (lhs.param, rhs.param) = (params.read(x), params.read(y))
    let output = context.output()
    let index = (0..<batch).map { Index.axis($0) } + (isRow ? [] : [.axis(m)]) + (isColumn ? [] : [.axis(n)])
    let matmul = Matmul(
      batch: (0..<batch).map { Axis($0, result[$0]) },
      m: Axis(m, isRow ? 1 : left[left.count - (transposeX ? 1 : 2)]),
      n: Axis(n, isColumn ? 1 : right[right.count - (transposeY ? 2 : 1)]),
      k: Axis(k, depth),
      lhs: lhs,
      rhs: rhs,
      output: .init(params.write(output), index),
      epilogue: .accumulator
    )
    context.append("matmul", params, matmul.body(dtype: context.program[x].dtype))
  }
}

extension Linear: Lowerable {
  package func lower(in context: inout LoweringContext) {
    let (x, weight) = (context.fact("x").shape, context.fact("weight").shape)
    context.requireEqual(x[x.count - 1], weight[1])
    context.requireShape([weight[0]], of: "bias")
    context.lowerProduct(
      flat: context.input("x"),
      weight: context.input("weight"),
      transposed: true,
      bias: context.optionalInput("bias"),
      family: "linear"
    )
  }
}

extension Matmul {
  /// This as a contraction, or for types that no strategy takes as a loop nest. Accesses that are not affine (a batch
  /// that may or may not be broadcast) need the loop nest too.
  func body(dtype: DType) -> Kernel.Body {
    let isAffine = (lhs.index + rhs.index).allSatisfy { $0.affine != nil }
    return (dtype.isVectorFloat || dtype.isWideFactor) && isAffine ? .matmul(self) : .loopNest(nest())
  }

  /// This as a reduction over k; products of bytes are int32.
  func nest(ofBytes areBytes: Bool = false) -> LoopNest {
    let value = epilogue.rewritten { if case .accumulator = $0 { .stage(0) } else { $0 } }
    var (left, right) = (Scalar.load(param: lhs.param, lhs.index), Scalar.load(param: rhs.param, rhs.index))
    if areBytes { (left, right) = (.cast(left, .int32), .cast(right, .int32)) }
    let product = left * right
    return LoopNest(
      batch + [m, n],
      [
        .reduce(.sum, axes: [k], value: product),
        .store(param: output.param, index: output.index, axes: [], value: value),
      ]
    )
  }
}

extension LoweringContext {
  /// The indices of an operand with extents `own`, aligned at the end of `shape`.
  func broadcast(extents own: [Dim], _ axes: [Index], to shape: [Dim]) -> [Index] {
    let skipped = shape.count - own.count
    return own.indices.map { axis in
      let extent = own[axis]
      if extent == shape[axis + skipped] { return axes[axis + skipped] }
      return extent == 1 ? .constant(0) : axes[axis + skipped].modulo(extent)
    }
  }

  /// `x[*B, K] · weight (+ bias)` with the leading axes taken as one: weight `[K, N]`, or `[N, K]` when transposed.
  mutating func lowerProduct(flat x: TensorID, weight: TensorID, transposed: Bool, bias: TensorID?, family: String) {
    let (shape, factors) = (program[x].shape, program[weight].shape)
    let rows = shape.dropLast().reduce(1, *)
    let columns = factors[transposed ? 0 : 1]
    let result = outputFact()
    let input = alias(x, [rows, shape.last!])
    let output = result.rank == 2 ? self.output() : temporary("rows", result.dtype, [rows, columns])
    if result.rank != 2 { setOutput(to: output) }
    var params = KernelParams()
    let matmul = Matmul(
      batch: [],
      m: Axis(0, rows),
      n: Axis(1, columns),
      k: Axis(2, shape.last!),
      lhs: .init(params.read(input), [.axis(0), .axis(2)]),
      rhs: .init(params.read(weight), transposed ? [.axis(1), .axis(2)] : [.axis(2), .axis(1)]),
      output: .init(params.write(output), [.axis(0), .axis(1)]),
      epilogue: bias.map { .accumulator + params.load($0, [.axis(1)]) } ?? .accumulator
    )
    append(family, params, matmul.body(dtype: program[x].dtype))
  }
}
