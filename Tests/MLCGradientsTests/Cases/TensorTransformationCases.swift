import MLCCore
import MLCGraph
import MLCOps

extension GradientCase {
  static let tensorTransformation: [GradientCase] = [
    blocks(DepthToSpace(block: 2), 4, 1),
    blocks(PixelShuffle(block: 2), 4, 1),
    blocks(PixelUnshuffle(block: 2), 1, 2),
    blocks(SpaceToDepth(block: 2), 1, 2),
    GradientCase("expand_dims.axes") { draw in
      let shape = draw.shape(rank: 0...3)
      return DrawnOperation(ExpandDims([draw.axis(rank: shape.count + 1)]), draw.reals(shape))
    },
    GradientCase("squeeze.axes") { draw in
      var shape = draw.shape(rank: 1...4)
      let axis = draw.int(0...shape.count - 1)
      shape[axis] = 1
      return DrawnOperation(draw.flag() ? Squeeze([axis]) : Squeeze(), draw.reals(shape))
    },
    GradientCase("reshape.shape") { draw in
      let shape = draw.shape(rank: 0...4)
      let target = draw.shuffled(shape) + (draw.flag() ? [1] : [])
      return DrawnOperation(Reshape(), draw.reals(shape), Tensor.shape(target))
    },
    GradientCase("reverse.axes") { draw in
      let shape = draw.shape(rank: 1...4)
      return DrawnOperation(Reverse(draw.flag() ? [] : draw.axes(rank: shape.count)), draw.reals(shape))
    },
    GradientCase("transpose.perm") { draw in
      let shape = draw.shape(rank: 0...4)
      let perm = draw.shuffled(Array(shape.indices)).map { draw.flag() ? $0 : $0 - shape.count }
      return DrawnOperation(Transpose(perm), draw.reals(shape))
    },
    GradientCase("slice_by_index.steps") { draw in slice(&draw) },
    GradientCase("slice_by_index.squeezed") { draw in
      let shape = draw.shape(rank: 1...3)
      var op = SliceByIndex()
      op.squeezeMask = shape.map { _ in draw.flag() }
      let begin = zip(shape, op.squeezeMask).map { extent, isOne in isOne ? draw.int(-extent...extent - 1) : 0 }
      return DrawnOperation(op, draw.reals(shape), Tensor.shape(begin), Tensor.shape(shape))
    },
  ]

  private static func blocks(_ op: any Operator, _ channels: Int, _ factor: Int) -> GradientCase {
    GradientCase("\(type(of: op).name).block") { draw in
      let shape = draw.shape(rank: 4...4, 1...2)
      return DrawnOperation(op, draw.reals([shape[0], shape[1] * channels, shape[2] * factor, shape[3] * factor]))
    }
  }

  private static func slice(_ draw: inout Draw) -> DrawnOperation {
    let shape = draw.shape(rank: 1...3, 1...6)
    let op = SliceByIndex(beginMask: shape.map { _ in draw.flag() }, endMask: shape.map { _ in draw.flag() })
    let isPlain = draw.flag()
    let strides = shape.map { _ in isPlain ? 1 : draw.one(of: [1, 2, 3, -1, -2]) }
    var (begin, end): ([Int], [Int]) = ([], [])
    for (extent, stride) in zip(shape, strides) {
      let (low, high) = (draw.int(0...extent - 1), draw.int(0...extent))
      begin.append(draw.flag() ? low : low - extent)
      // Before the first element nothing is counted from the front.
      let last = stride > 0 ? max(low, high) : min(low, high) - 1
      end.append(last < 0 ? -extent - 1 : draw.flag() || last == extent ? last : last - extent)
    }
    let bounds = [draw.reals(shape), Tensor.shape(begin), Tensor.shape(end)]
    return DrawnOperation(op, (bounds + (isPlain ? [] : [Tensor.shape(strides)])).map { [$0] })
  }
}
