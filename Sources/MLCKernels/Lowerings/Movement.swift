import MLCCore
import MLCGraph
import MLCOps

extension Transpose: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let rank = context.fact("x").rank
    let order = try normalized(axes: perm, rank: rank, Self.name)
    try context.rearrange("transpose", from: context.input("x")) { axes in
      var index = axes
      for (axis, source) in order.enumerated() { index[source] = axes[axis] }
      return index
    }
  }
}

extension Concat: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let values = context.inputs("values")
    let output = context.output()
    let axis = try normalized(axis: axis, rank: context.program[output].shape.count, Self.name)
    var offset: Dim = 0
    for value in values {
      let (shape, whole) = (context.program[value].shape, context.program[output].shape)
      for other in shape.indices where other != axis { context.requireEqual(shape[other], whole[other]) }
      let extent = shape[axis]
      if extent != 0 { context.copy(value, to: output, axis: axis, offset: offset, family: "concat") }
      offset = offset + extent
    }
  }
}

extension Split: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    let axis = try normalized(axis: axis, rank: context.program[x].shape.count, Self.name)
    var offset: Dim = 0
    for piece in context.operation.outputs.indices {
      let output = context.output(piece)
      let start = offset
      try context.map("split", to: output) { (params, axes) throws(Diagnostic) in
        var index = axes
        index[axis] = axes[axis] + .dim(start)
        return params.load(x, index)
      }
      offset = offset + context.program[output].shape[axis]
    }
    context.requireEqual(offset, context.program[x].shape[axis])
  }
}

extension BroadcastTo: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    let (own, shape) = (context.program[x].shape, context.outputFact().shape)
    if own == shape { return context.setOutput(to: x) }
    context.requireBroadcast(own, to: shape)
    let output = context.output()
    let reader = context.program
    try context.map("broadcast", to: output) { (params, axes) throws(Diagnostic) in
      reader.element(x, &params, axes, in: shape)
    }
  }
}

extension Tile: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    let (own, shape) = (context.program[x].shape, context.outputFact().shape)
    try context.rearrange("tile", from: x) { axes in
      axes.indices.map { own[$0] == shape[$0] ? axes[$0] : axes[$0].modulo(own[$0]) }
    }
  }
}

extension Reverse: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    let shape = context.program[x].shape
    let turned = axes.isEmpty ? Array(shape.indices) : try normalized(axes: axes, rank: shape.count, Self.name)
    try context.rearrange("reverse", from: x) { axes in
      axes.indices.map { turned.contains($0) ? .dim(shape[$0] - 1) + axes[$0] * -1 : axes[$0] }
    }
  }
}
