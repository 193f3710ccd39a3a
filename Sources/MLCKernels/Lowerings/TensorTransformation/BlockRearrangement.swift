import MLCCore
import MLCGraph
import MLCOps

extension DepthToSpace: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    context.requireMultiple(context.fact("x").shape[1], of: block * block)
    let b = Dim(block)
    let channels = context.outputFact().shape[1]
    try context.rearrange(Self.name, from: context.input("x")) { axes in
      let square = axes[2].modulo(b) * b + axes[3].modulo(b)
      return [axes[0], square * channels + axes[1], axes[2].dividedFloor(by: b), axes[3].dividedFloor(by: b)]
    }
  }
}

extension PixelShuffle: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    context.requireMultiple(context.fact("x").shape[1], of: block * block)
    let b = Dim(block)
    try context.rearrange(Self.name, from: context.input("x")) { axes in
      let square = axes[2].modulo(b) * b + axes[3].modulo(b)
      return [axes[0], axes[1] * (b * b) + square, axes[2].dividedFloor(by: b), axes[3].dividedFloor(by: b)]
    }
  }
}

extension SpaceToDepth: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    for extent in context.fact("x").shape[2...] { context.requireMultiple(extent, of: block) }
    let b = Dim(block)
    let channels = context.fact("x").shape[1]
    try context.rearrange(Self.name, from: context.input("x")) { axes in
      let square = axes[1].dividedFloor(by: channels)
      return [
        axes[0], axes[1].modulo(channels), axes[2] * b + square.dividedFloor(by: b), axes[3] * b + square.modulo(b),
      ]
    }
  }
}

extension PixelUnshuffle: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    for extent in context.fact("x").shape[2...] { context.requireMultiple(extent, of: block) }
    let b = Dim(block)
    try context.rearrange(Self.name, from: context.input("x")) { axes in
      let square = axes[1].modulo(b * b)
      return [
        axes[0], axes[1].dividedFloor(by: b * b), axes[2] * b + square.dividedFloor(by: b),
        axes[3] * b + square.modulo(b),
      ]
    }
  }
}
