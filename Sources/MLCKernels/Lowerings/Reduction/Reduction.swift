import MLCCore
import MLCGraph
import MLCOps

/// Reductions that are one pass over the reduced axes: `finish(⊕ term(x))`.
package protocol ReductionLowerable: Lowerable, Reduction {
  static var reduction: LoopNest.Reduction { get }
  func term(_ x: Scalar, _ dtype: DType) -> Scalar
  /// From the reduced value to the result; `count` is how many elements went in.
  func finish(_ value: Scalar, count: Dim, _ dtype: DType) -> Scalar
}

extension ReductionLowerable {
  package func term(_ x: Scalar, _ dtype: DType) -> Scalar { x }
  package func finish(_ value: Scalar, count: Dim, _ dtype: DType) -> Scalar { value }

  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    let (shape, dtype) = (context.program[x].shape, context.program[x].dtype)
    let row = ReducedAxes(try reducedAxes(rank: shape.count), of: shape, keepDims: keepDims)
    var params = KernelParams()
    let value = term(params.load(x, row.index), dtype)
    let count = row.inner.map(\.extent).reduce(1, *)
    let result = finish(.stage(0), count: count, dtype)
    let stages: [LoopNest.Stage] = [
      .reduce(Self.reduction, axes: row.inner, value: value),
      .store(param: params.write(context.output()), index: row.outputIndex, axes: [], value: result),
    ]
    context.append(Self.name, params, .loopNest(LoopNest(row.outer, stages)))
  }
}

/// The loops of a reduction: one axis a dimension of the input, numbered alike.
package struct ReducedAxes {
  package var outer: [Axis] = []
  package var inner: [Axis] = []
  /// The input's element at the loops' position.
  package var index: [Index]
  package var outputIndex: [Index] = []

  package init(_ reduced: [Int], of shape: [Dim], keepDims: Bool) {
    index = shape.indices.map { .axis($0) }
    for (dimension, extent) in shape.enumerated() {
      if reduced.contains(dimension) {
        inner.append(Axis(dimension, extent))
        if keepDims { outputIndex.append(.constant(0)) }
      } else {
        outer.append(Axis(dimension, extent))
        outputIndex.append(.axis(dimension))
      }
    }
  }
}

extension ReduceSum: ReductionLowerable { package static var reduction: LoopNest.Reduction { .sum } }
extension ReduceMax: ReductionLowerable { package static var reduction: LoopNest.Reduction { .max } }
extension ReduceMin: ReductionLowerable { package static var reduction: LoopNest.Reduction { .min } }
extension ReduceProd: ReductionLowerable { package static var reduction: LoopNest.Reduction { .product } }

extension ReduceMean: ReductionLowerable {
  package static var reduction: LoopNest.Reduction { .sum }
  package func finish(_ value: Scalar, count: Dim, _ dtype: DType) -> Scalar {
    if dtype.isFloat, let n = count.constant { return value * .number(1 / Double(n), dtype) }
    return value / .index(.dim(count), dtype.widened)
  }
}
extension ReduceSumSquare: ReductionLowerable {
  package static var reduction: LoopNest.Reduction { .sum }
  package func term(_ x: Scalar, _ dtype: DType) -> Scalar { x * x }
}
extension ReduceL1Norm: ReductionLowerable {
  package static var reduction: LoopNest.Reduction { .sum }
  package func term(_ x: Scalar, _ dtype: DType) -> Scalar { .unary(.abs, x) }
}
extension ReduceL2Norm: ReductionLowerable {
  package static var reduction: LoopNest.Reduction { .sum }
  package func term(_ x: Scalar, _ dtype: DType) -> Scalar { x * x }
  package func finish(_ value: Scalar, count: Dim, _ dtype: DType) -> Scalar {
    dtype.isFloat ? .unary(.sqrt, value) : .cast(.unary(.sqrt, .cast(value, .float64)), dtype)
  }
}
extension ReduceLogSum: ReductionLowerable {
  package static var reduction: LoopNest.Reduction { .sum }
  package func finish(_ value: Scalar, count: Dim, _ dtype: DType) -> Scalar {
    dtype.isFloat ? .unary(.log, value) : .cast(.unary(.log, .cast(value, .float64)), dtype)
  }
}

extension ReduceLogSumExp: Lowerable {
  /// `m + log Σ e^(x − m)` with m the greatest element: nothing overflows.
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    let (shape, stored) = (context.program[x].shape, context.program[x].dtype)
    let dtype = stored.isFloat ? stored.widened : .float64
    let row = ReducedAxes(try reducedAxes(rank: shape.count), of: shape, keepDims: keepDims)
    var params = KernelParams()
    let loaded = params.load(x, row.index)
    let value = stored.isFloat ? loaded : Scalar.cast(loaded, dtype)
    let infinite = Scalar.compare(.equal, .unary(.abs, .stage(0)), .number(.infinity, dtype))
    let total = Scalar.stage(0) + .unary(.log, .stage(1))
    let result = Scalar.select(infinite, .stage(0), total)
    let stages: [LoopNest.Stage] = [
      .reduce(.max, axes: row.inner, value: value),
      .reduce(.sum, axes: row.inner, value: .unary(.exp, value - .stage(0))),
      .store(
        param: params.write(context.output()),
        index: row.outputIndex,
        axes: [],
        value: stored.isFloat ? result : .cast(result, stored)
      ),
    ]
    context.append("reduce_log_sum_exp", params, .loopNest(LoopNest(row.outer, stages)))
  }
}

/// The first greatest or least element; the last one by counting from the end.
extension LoweringContext {
  fileprivate mutating func lowerArg(
    _ reduction: LoopNest.Reduction,
    axis: Int,
    keepDims: Bool,
    last: Bool,
    family: String
  ) throws(Diagnostic) {
    let x = input("x")
    let shape = program[x].shape
    let axis = try normalized(axis: axis, rank: shape.count, family)
    let row = ReducedAxes([axis], of: shape, keepDims: keepDims)
    requireAtLeast(1, shape[axis], whereThereAre: row.outer.map(\.extent))
    var params = KernelParams()
    var index = row.index
    if last { index[axis] = .dim(shape[axis] - 1) + Index.axis(axis) * Dim(-1) }
    let position: Scalar = last ? .index(.dim(shape[axis] - 1), .int64) - .stage(0) : .stage(0)
    let dtype = outputFact().dtype
    let stages: [LoopNest.Stage] = [
      .reduce(reduction, axes: row.inner, value: params.load(x, index)),
      .store(param: params.write(output()), index: row.outputIndex, axes: [], value: .cast(position, dtype)),
    ]
    append(family, params, .loopNest(LoopNest(row.outer, stages)))
  }
}

extension ReduceArgmax: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    try context.lowerArg(.argMax, axis: axis, keepDims: keepDims, last: selectLastIndex, family: Self.name)
  }
}
extension ReduceArgmin: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    try context.lowerArg(.argMin, axis: axis, keepDims: keepDims, last: selectLastIndex, family: Self.name)
  }
}
