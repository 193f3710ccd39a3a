import MLCCore
import MLCGraph
import MLCOps

extension Gather: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let (x, indices) = (context.input("x"), context.input("indices"))
    let shape = context.program[x].shape
    let axis = try normalized(axis: axis, rank: shape.count, Self.name)
    context.requireEqual(shape.prefix(batchDims), context.program[indices].shape)
    let chosen = context.program[indices].shape.count - batchDims
    let output = context.output()
    let reader = context.program
    try context.map("gather", to: output) { (params, axes) throws(Diagnostic) in
      let place = Array(axes[..<batchDims] + axes[axis..<axis + chosen])
      let position = reader.position(indices, place, extent: shape[axis], &params)
      return params.load(x, axes[..<axis] + [position] + axes[(axis + chosen)...])
    }
  }
}

extension GatherAlongAxis: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let (x, indices) = (context.input("x"), context.input("indices"))
    let shape = context.program[x].shape
    let axis = try normalized(axis: axis, rank: shape.count, Self.name)
    context.requireWithin(shape, indices: context.program[indices].shape, along: axis)
    let output = context.output()
    let reader = context.program
    try context.map("gather_along_axis", to: output) { (params, axes) throws(Diagnostic) in
      var index = axes
      index[axis] = reader.position(indices, axes, extent: shape[axis], &params)
      return params.load(x, index)
    }
  }
}

extension GatherNd: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let (x, indices) = (context.input("x"), context.input("indices"))
    let (shape, rows) = (context.program[x].shape, context.program[indices].shape)
    let depth = rows[rows.count - 1].constant ?? 0
    context.requireEqual(shape.prefix(batchDims), rows)
    let output = context.output()
    let reader = context.program
    try context.map("gather_nd", to: output) { (params, axes) throws(Diagnostic) in
      let row = axes[..<(rows.count - 1)]
      let positions = (0..<depth).map { k in
        reader.position(indices, row + [.constant(k)], extent: shape[batchDims + k], &params)
      }
      return params.load(x, axes[..<batchDims] + positions + axes[(rows.count - 1)...])
    }
  }
}

extension LoweringContext {
  /// Requires that `indices` go no further than `shape` on all axes but `axis`.
  mutating func requireWithin(_ shape: [Dim], indices: [Dim], along axis: Int) {
    for other in shape.indices where other != axis { requireAtLeast(indices[other], shape[other]) }
  }
}

extension KernelProgram {
  /// `tensor[place]` as a position on an axis of `extent`, counted from the end when negative.
  func position(_ tensor: TensorID, _ place: [Index], extent: Dim, _ params: inout KernelParams) -> Index {
    let number = integer(tensor, place, &params)
    if case .integer(let value, _) = number, let n = extent.constant, value >= -n, value < n {
      return .constant(value < 0 ? value + n : value)
    }
    return .value(number.wrapped(extent))
  }
}
