import MLCCore
import MLCOps

extension GradientCase {
  static let normalization: [GradientCase] = [
    GradientCase("batch_norm.statistics") { draw in
      let shape = draw.shape(rank: 2...4, 1...3)
      let channels = [shape[1]]
      let statistics = [draw.reals(channels), draw.reals(channels, 0.5...2)]
      let affine = draw.flag() ? [] : [draw.reals(channels), draw.reals(channels)]
      return DrawnOperation(BatchNorm(epsilon: 0.01), ([draw.reals(shape)] + statistics + affine).map { [$0] })
    },
    GradientCase("instance_norm.planes") { draw in
      let shape = draw.shape(rank: 3...4, 2...3)
      let affine = draw.flag() ? [] : [draw.reals([shape[1]]), draw.reals([shape[1]])]
      return DrawnOperation(InstanceNorm(epsilon: 0.1), ([draw.reals(shape)] + affine).map { [$0] })
    },
    GradientCase("layer_norm.axes") { draw in
      let shape = draw.shape(rank: 1...4, 2...3)
      let axes = draw.axes(rank: shape.count)
      let op = LayerNorm(axes: axes.map { draw.flag() ? $0 : $0 - shape.count }, epsilon: 0.1)
      let gamma = draw.flag() ? [draw.reals(axes.map { shape[$0] })] : []
      let beta = draw.flag() ? [draw.reals(axes.map { shape[$0] })] : []
      return DrawnOperation(op, [[draw.reals(shape)], gamma, beta])
    },
    GradientCase("local_response_norm.channels") { draw in
      var op = LocalResponseNorm()
      (op.size, op.alpha, op.beta, op.k) = (draw.int(1...4), 0.5, 0.75, 1.5)
      return DrawnOperation(op, draw.reals(draw.shape(rank: 2...4)))
    },
  ]
}
