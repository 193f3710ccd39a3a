import MLCCore
import MLCOps

extension GradientCase {
  static let activation: [GradientCase] = [
    unary(Celu(alpha: 0.5), apart: [0]),
    unary(Elu(alpha: 0.5), apart: [0]),
    unary(Gelu(mode: "EXACT"), what: "exact"),
    unary(Gelu(mode: "SIGMOID_APPROXIMATION"), what: "sigmoid"),
    unary(Gelu(mode: "TANH_APPROXIMATION"), what: "tanh"),
    unary(HardSwish(), -5...5, apart: [-3, 3]),
    unary(LeakyRelu(alpha: 0.2), apart: [0]),
    GradientCase("log_softmax.axis") { draw in
      let shape = draw.shape(rank: 1...4)
      return DrawnOperation(LogSoftmax(axis: draw.axis(rank: shape.count)), draw.reals(shape))
    },
    unary(Mish()),
    GradientCase("prelu.broadcast") { draw in
      let shape = draw.shape(rank: 0...4)
      return DrawnOperation(Prelu(), draw.reals(shape, apart: [0]), draw.reals(draw.broadcast(to: shape)))
    },
    unary(Relu(), apart: [0]),
    unary(Relu6(), -3...9, apart: [0, 6]),
    unary(Selu(), apart: [0]),
    unary(Sigmoid()),
    unary(SigmoidHard(), -4...4, apart: [-2.5, 2.5]),
    unary(Silu()),
    GradientCase("softmax.axis") { draw in
      let shape = draw.shape(rank: 1...4)
      return DrawnOperation(Softmax(axis: draw.axis(rank: shape.count)), draw.reals(shape))
    },
    unary(Softplus()),
    unary(Softsign(), apart: [0]),
    unary(ThresholdedRelu(alpha: 0.5), apart: [0.5]),
  ]
}
