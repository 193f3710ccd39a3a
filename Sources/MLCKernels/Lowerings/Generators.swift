import MLCCore
import MLCGraph
import MLCOps

extension Fill: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let value = context.input("value")
    let output = context.output()
    let reader = context.program
    try context.map("fill", to: output) { (params, _) throws(Diagnostic) in
      reader.element(value, &params, [], in: [])
    }
  }
}

extension Shape: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let rank = context.fact("x").rank
    func clamped(_ axis: Int) -> Int { Swift.max(0, Swift.min(rank, axis < 0 ? axis + rank : axis)) }
    let first = clamped(start)
    let last = Swift.max(first, clamped(end ?? rank))
    context.lowerSizes(Array(context.fact("x").shape[first..<last]))
  }
}

extension LoweringContext {
  /// Appends a kernel that stores `sizes`, row-major, in output 0.
  mutating func lowerSizes(_ sizes: [Dim]) {
    let output = output()
    let (shape, dtype) = (program[output].shape.map { $0.constant ?? 1 }, program[output].dtype)
    var params = KernelParams()
    let param = params.write(output)
    let stages = sizes.enumerated().map { number, size in
      var rest = number
      var index: [Index] = []
      for extent in shape.reversed() {
        index.insert(.constant(rest % extent), at: 0)
        rest /= extent
      }
      return LoopNest.Stage.store(param: param, index: index, axes: [], value: .index(.dim(size), dtype))
    }
    if !stages.isEmpty { append("shape", params, .loopNest(LoopNest([], stages))) }
  }
}

extension Range1D: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let (start, step) = (context.input("start"), context.input("step"))
    let dtype = context.outputFact().dtype
    let wide = dtype.isFloat ? DType.float64 : dtype
    let output = context.output()
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
}

extension OneHot: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let (indices, on, off) = (context.input("indices"), context.input("on_value"), context.input("off_value"))
    let shape = context.outputFact().shape
    let axis = try normalized(axis: axis, rank: shape.count, Self.name)
    let output = context.output()
    let reader = context.program
    try context.map("one_hot", to: output) { (params, axes) throws(Diagnostic) in
      var place = axes
      place.remove(at: axis)
      let hot = reader.integer(indices, place, &params).wrapped(shape[axis])
      return .select(
        .compare(.equal, hot, .index(axes[axis], .int64)),
        reader.element(on, &params, [], in: []),
        reader.element(off, &params, [], in: [])
      )
    }
  }
}

extension EyeLike: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    try context.map("eye", to: context.output()) { (_, axes) throws(Diagnostic) in
      let isOn = Scalar.compare(.equal, .index(axes[1] + axes[0] * -1, .int64), .integer(k, .int64))
      return .select(isOn, .number(1, dtype), .number(0, dtype))
    }
  }
}
