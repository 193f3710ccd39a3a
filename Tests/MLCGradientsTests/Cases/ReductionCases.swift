import MLCCore
import MLCGraph
import MLCOps

extension GradientCase {
  static let reduction: [GradientCase] = [
    reduce(ReduceL1Norm.self) { draw, shape in draw.reals(shape, apart: [0]) },
    reduce(ReduceL2Norm.self) { draw, shape in draw.reals(shape, 0.5...2) },
    reduce(ReduceLogSum.self) { draw, shape in draw.reals(shape, 0.5...2) },
    reduce(ReduceLogSumExp.self) { draw, shape in draw.reals(shape) },
    reduce(ReduceMax.self) { draw, shape in draw.distinct(shape) },
    reduce(ReduceMean.self) { draw, shape in draw.reals(shape) },
    reduce(ReduceMin.self) { draw, shape in draw.distinct(shape) },
    reduce(ReduceProd.self) { draw, shape in draw.reals(shape) },
    reduce(ReduceProd.self, "zeros") { draw, shape in
      let values = draw.reals(shape).doubles
      return Tensor(.float64, shape, values.map { draw.int(0...3) == 0 ? 0 : $0 })
    },
    reduce(ReduceSum.self) { draw, shape in draw.reals(shape) },
    reduce(ReduceSumSquare.self) { draw, shape in draw.reals(shape) },
  ]

  private static func reduce<Op: MLCOps.Reduction>(
    _ type: Op.Type,
    _ what: String = "axes",
    _ data: @escaping @Sendable (inout Draw, [Int]) -> Tensor
  ) -> GradientCase {
    GradientCase("\(Op.name).\(what)") { draw in
      let shape = draw.shape(rank: 1...4, 1...3)
      let axes = draw.flag() ? [] : draw.axes(rank: shape.count).map { draw.flag() ? $0 : $0 - shape.count }
      return DrawnOperation(Op(axes: axes, keepDims: draw.flag()), data(&draw, shape))
    }
  }
}
