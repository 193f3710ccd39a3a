import MLCCore
import MLCGraph
import MLCOps

extension GradientCase {
  static let scatterGather: [GradientCase] = [
    GradientCase("gather.axis") { draw in
      let shape = draw.shape(rank: 1...4)
      let place = draw.int(0...shape.count - 1)
      var op = Gather(axis: draw.flag() ? place : place - shape.count)
      op.batchDims = draw.int(0...place)
      let indices = Array(shape[..<op.batchDims]) + draw.shape(rank: 0...2, 1...3)
      return DrawnOperation(op, draw.reals(shape), draw.integers(indices, -shape[place]...shape[place] - 1))
    },
    GradientCase("gather_along_axis.axis") { draw in
      let (op, shape, indices) = alongAxis(&draw)
      return DrawnOperation(GatherAlongAxis(axis: op), draw.reals(shape), indices)
    },
    GradientCase("gather_nd.slices") { draw in
      let (shape, indices) = slices(&draw)
      return DrawnOperation(GatherNd(), draw.reals(shape), indices)
    },
    GradientCase("scatter_along_axis.modes") { draw in
      let (axis, shape, indices) = alongAxis(&draw)
      let op = ScatterAlongAxis(axis: axis, mode: draw.one(of: [.add, .sub]))
      return DrawnOperation(op, draw.reals(shape), indices, draw.reals(indices.shape))
    },
    GradientCase("scatter_along_axis.update") { draw in
      let (count, rows) = (draw.int(2...4), draw.int(1...3))
      let places = draw.shuffled(Array(0..<count)).prefix(draw.int(1...count))
      let indices = Tensor(.int32, [places.count, rows], places.flatMap { [Int](repeating: $0, count: rows) })
      let op = ScatterAlongAxis(axis: 0, mode: .update)
      return DrawnOperation(op, draw.reals([count, rows]), indices, draw.reals(indices.shape))
    },
    GradientCase("scatter_nd.modes") { draw in
      let (shape, indices) = slices(&draw)
      let updates = indices.shape.dropLast() + shape[indices.shape[indices.rank - 1]...]
      return DrawnOperation(
        ScatterNd(mode: draw.one(of: [.add, .sub])),
        draw.reals(shape),
        indices,
        draw.reals(Array(updates))
      )
    },
  ]

  private static func alongAxis(_ draw: inout Draw) -> (axis: Int, shape: [Int], indices: Tensor) {
    let shape = draw.shape(rank: 1...3)
    let place = draw.int(0...shape.count - 1)
    let extents = shape.indices.map { $0 == place ? draw.int(1...4) : draw.int(1...shape[$0]) }
    let indices = draw.integers(extents, -shape[place]...shape[place] - 1)
    return (draw.flag() ? place : place - shape.count, shape, indices)
  }

  private static func slices(_ draw: inout Draw) -> (shape: [Int], indices: Tensor) {
    let shape = draw.shape(rank: 1...3)
    let depth = draw.int(1...shape.count)
    let lead = draw.shape(rank: 0...2, 1...3)
    let numbers = (0..<lead.reduce(1, *)).flatMap { _ in shape[..<depth].map { draw.int(-$0...$0 - 1) } }
    return (shape, Tensor(.int32, lead + [depth], numbers))
  }
}
