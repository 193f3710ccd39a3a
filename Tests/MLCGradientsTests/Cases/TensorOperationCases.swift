import MLCCore
import MLCGraph
import MLCOps

extension GradientCase {
  static let tensorOperation: [GradientCase] = [
    GradientCase("band_part.band") { draw in
      let op = BandPart(lower: draw.int(-1...2), upper: draw.int(-1...2))
      return DrawnOperation(op, draw.reals(draw.shape(rank: 2...4)))
    },
    GradientCase("broadcast_to.shape") { draw in
      let shape = draw.shape(rank: 0...4)
      return DrawnOperation(BroadcastTo(), draw.reals(draw.broadcast(to: shape)), Tensor.shape(shape))
    },
    GradientCase("concat.axis") { draw in
      let shape = draw.shape(rank: 1...4)
      let axis = draw.axis(rank: shape.count)
      let parts = (0..<draw.int(1...3)).map { _ in
        var part = shape
        part[axis < 0 ? axis + shape.count : axis] = draw.int(1...3)
        return draw.reals(part)
      }
      return DrawnOperation(Concat(axis: axis), [parts])
    },
    GradientCase("cumsum.axis") { draw in
      let shape = draw.shape(rank: 1...4)
      var op = Cumsum()
      (op.axis, op.exclusive, op.reverse) = (draw.axis(rank: shape.count), draw.flag(), draw.flag())
      return DrawnOperation(op, draw.reals(shape))
    },
    GradientCase("fill.value") { draw in
      DrawnOperation(Fill(), Tensor.shape(draw.shape(rank: 0...3)), draw.reals([]))
    },
    GradientCase("identity.values") { draw in DrawnOperation(Identity(), draw.reals(draw.shape(rank: 0...3))) },
    GradientCase("one_hot.values") { draw in
      let indices = draw.integers(draw.shape(rank: 0...2), -5...5)
      let op = OneHot(axis: draw.axis(rank: indices.rank + 1))
      return DrawnOperation(op, indices, Tensor(.int32, [], [draw.int(1...4)]), draw.reals([]), draw.reals([]))
    },
    GradientCase("pad.constant") { draw in
      let shape = draw.shape(rank: 1...4)
      let amounts = shape[draw.int(0...shape.count - 1)...].flatMap { _ in [draw.int(0...2), draw.int(0...2)] }
      return DrawnOperation(Pad(), draw.reals(shape), Tensor.shape(amounts), draw.reals([]))
    },
    GradientCase("pad.negative") { draw in
      let shape = draw.shape(rank: 1...3, 3...5)
      let amounts = shape.flatMap { _ in [draw.int(-1...1), draw.int(-1...1)] }
      return DrawnOperation(Pad(), draw.reals(shape), Tensor.shape(amounts))
    },
    padding("reflect"), padding("replicate"), padding("wrap"),
    GradientCase("split.axis") { draw in
      let shape = draw.shape(rank: 1...3, 1...5)
      let axis = draw.axis(rank: shape.count)
      let extent = shape[axis < 0 ? axis + shape.count : axis]
      let first = draw.int(0...extent)
      let op =
        draw.flag() ? Split(axis: axis, sizes: [first, extent - first]) : Split(axis: axis, count: draw.int(1...3))
      return DrawnOperation(op, draw.reals(shape))
    },
    GradientCase("tile.reps") { draw in
      let shape = draw.shape(rank: 0...3)
      return DrawnOperation(Tile(), draw.reals(shape), Tensor.shape(shape.map { _ in draw.int(1...3) }))
    },
    GradientCase("topk.axis") { draw in
      let shape = draw.shape(rank: 1...3)
      var op = TopK()
      (op.axis, op.ascending) = (draw.axis(rank: shape.count), draw.flag())
      let extent = shape[op.axis < 0 ? op.axis + shape.count : op.axis]
      return DrawnOperation(op, draw.distinct(shape), Tensor(.int32, [], [draw.int(1...extent)]))
    },
    GradientCase("trilu.diagonal") { draw in
      let x = draw.reals(draw.shape(rank: 2...4))
      let op = Trilu(upper: draw.flag())
      return draw.flag() ? DrawnOperation(op, x) : DrawnOperation(op, x, Tensor(.int64, [], [draw.int(-2...2)]))
    },
  ]

  private static func padding(_ mode: String) -> GradientCase {
    GradientCase("pad.\(mode)") { draw in
      let shape = draw.shape(rank: 1...3, 2...4)
      let amounts = shape[draw.int(0...shape.count - 1)...].flatMap { _ in [draw.int(-1...3), draw.int(0...3)] }
      return DrawnOperation(Pad(mode: mode), draw.reals(shape), Tensor.shape(amounts))
    }
  }
}
