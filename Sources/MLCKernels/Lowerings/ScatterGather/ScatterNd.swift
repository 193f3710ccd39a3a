import MLCCore
import MLCGraph
import MLCOps

extension ScatterNd: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let indices = context.input("indices")
    let (shape, rows) = (context.fact("data").shape, context.program[indices].shape)
    guard let depth = rows.last?.constant else { preconditionFailure("inference wants the length of an index") }
    context.requireShape(rows.dropLast() + shape[depth...], of: "updates")
    let positions = context.temporary("positions", .int64, Array(rows.dropLast()))
    let reader = context.program
    try context.map("scatter_positions", to: positions) { (params, axes) throws(Diagnostic) in
      let parts = (0..<depth).map { k in
        reader.integer(indices, axes + [.constant(k)], &params).wrapped(shape[k])
      }
      return Scalar.linear(parts, Array(shape[..<depth]))
    }
    try context.scatter(positions, depth: depth, mode: mode)
  }
}

extension ScatterAlongAxis: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let indices = context.input("indices")
    let shape = context.fact("data").shape
    let axis = try normalized(axis: axis, rank: shape.count, Self.name)
    context.requireWithin(shape, indices: context.program[indices].shape, along: axis)
    context.requireShape(context.program[indices].shape, of: "updates")
    let positions = context.temporary("positions", .int64, context.program[indices].shape)
    let reader = context.program
    try context.map("scatter_positions", to: positions) { (params, axes) throws(Diagnostic) in
      var parts = axes.map { Scalar.index($0, .int64) }
      parts[axis] = reader.integer(indices, axes, &params).wrapped(shape[axis])
      return Scalar.linear(parts, shape)
    }
    try context.scatter(positions, depth: shape.count, mode: mode)
  }
}

extension Scalar {
  /// The row-major position of `parts` in `shape`; −1 when one of them lies outside.
  fileprivate static func linear(_ parts: [Scalar], _ shape: [Dim]) -> Scalar {
    var position = Scalar.integer(0, .int64)
    var isInside = Scalar.integer(1, .bool)
    for (part, extent) in zip(parts, shape) {
      position = position * .size(extent) + part
      let isBelow = Scalar.compare(.less, part, .size(extent))
      let isInRange = Scalar.binary(.logicalAnd, .compare(.greaterEqual, part, .integer(0, .int64)), isBelow)
      isInside = .binary(.logicalAnd, isInside, isInRange)
    }
    return .select(isInside, position, .integer(-1, .int64))
  }
}

extension LoweringContext {
  /// Output 0 is `data` after the updates, in order; `positions` names rows of it, counted over its first `depth` axes.
  /// 16-bit floats combine in fp32 and round once.
  fileprivate mutating func scatter(_ positions: TensorID, depth: Int, mode: String) throws(Diagnostic) {
    let (data, updates) = (input("data"), input("updates"))
    guard let mode = Routine.Scatter.Mode(rawValue: mode) else { preconditionFailure("inference knows no '\(mode)'") }
    if overwriting.contains(operation.outputs[0]) { setOutput(to: data) }
    let output = output()
    let type = program[output].type
    let isDirect = mode == .update || type.dtype.widened == type.dtype
    let target = isDirect ? output : temporary("wide", type.dtype.widened, type.shape)
    if target != data {
      try map("copy", to: target) { (params, axes) throws(Diagnostic) in params.load(data, axes) }
    }
    let count = program[positions].shape.reduce(1, *)
    let (rows, length) = (type.shape[..<depth].reduce(1, *), type.shape[depth...].reduce(1, *))
    var params = KernelParams()
    _ = params.readWrite(alias(target, [rows, length]))
    _ = params.read(alias(positions, [count]))
    _ = params.read(alias(updates, [count, length]))
    append("scatter", params, .routine(.scatter(.init(rows: rows, length: length, updates: count, mode: mode))))
    if isDirect { return }
    try map("narrow", to: output) { (params, axes) throws(Diagnostic) in params.load(target, axes) }
  }
}
