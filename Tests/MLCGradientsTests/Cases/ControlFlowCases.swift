import MLCCore
import MLCOps

extension GradientCase {
  static let controlFlow: [GradientCase] = [
    GradientCase("ensure.values") { draw in
      DrawnOperation(Ensure(), draw.reals(draw.shape(rank: 0...3)), Tensor(.bool, [], [1]))
    },
    GradientCase("select.broadcast") { draw in
      let shape = draw.shape(rank: 0...3)
      let choices = draw.broadcast(to: shape)
      let flags = Tensor(.bool, choices, (0..<choices.reduce(1, *)).map { _ in draw.int(0...1) })
      return DrawnOperation(
        Select(),
        flags,
        draw.reals(draw.broadcast(to: shape)),
        draw.reals(draw.broadcast(to: shape))
      )
    },
  ]
}
