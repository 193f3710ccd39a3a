import MLCCore
import MLCGraph
import MLCOps

extension OperatorCase {
  static let activationCases: [OperatorCase] = [
    OperatorCase(
      "softmax.middle-axis",
      Softmax(axis: 1),
      [[Tensor(.float32, [1, 2, 2], [1.0986122886681098, 0, 0, 0])]],
      expected: [Tensor(.float32, [1, 2, 2], [0.75, 0.5, 0.25, 0.5])]
    ),
    OperatorCase(
      "softmax.large-and-nan",
      Softmax(),
      [[Tensor(.float32, [3, 2], [1000.0, 1000, .nan, 1, -.infinity, 0])]],
      expected: [Tensor(.float32, [3, 2], [0.5, 0.5, .nan, .nan, 0, 1])]
    ),
    OperatorCase(
      "softmax.empty",
      Softmax(),
      [[Tensor(.float32, [2, 0], [Double]())]],
      expected: [Tensor(.float32, [2, 0], [Double]())]
    ),
    OperatorCase(
      "log_softmax.first-axis",
      LogSoftmax(axis: 0),
      [[Tensor(.float32, [2], [1.0986122886681098, 0])]],
      expected: [Tensor(.float32, [2], [-0.2876820724517809, -1.3862943611198906])]
    ),
    OperatorCase(
      "gelu.exact",
      Gelu(),
      [[Tensor(.float32, [4], [-1.0, 0, 2, .nan])]],
      expected: [Tensor(.float32, [4], [-0.15865525393145707, 0, 1.9544997361036416, .nan])]
    ),
    OperatorCase(
      "gelu.tanh",
      Gelu(mode: "TANH_APPROXIMATION"),
      [[Tensor(.float32, [3], [-1.0, 0, 2])]],
      expected: [Tensor(.float32, [3], [-0.15880800939172324, 0, 1.954597694087775])]
    ),
    OperatorCase(
      "gelu.sigmoid",
      Gelu(mode: "SIGMOID_APPROXIMATION"),
      [[Tensor(.float32, [3], [-1.0, 0, 2])]],
      expected: [Tensor(.float32, [3], [-0.1542042340671787, 0, 1.9356586231442083])]
    ),
    map(
      "relu.values",
      Relu(),
      [-2.0, -0.5, 0.0, 0.75, 3.0, .nan, .infinity, -.infinity],
      [0.0, 0.0, 0.0, 0.75, 3.0, .nan, .infinity, 0.0]
    ),
    map("relu6.values", Relu6(), [-2.0, -0.5, 0.0, 0.75, 3.0, 7.0, .nan], [0.0, 0.0, 0.0, 0.75, 3.0, 6.0, .nan]),
    map(
      "sigmoid.values",
      Sigmoid(),
      [-2.0, -0.5, 0.0, 0.75, 3.0, .nan, .infinity, -.infinity],
      [0.11920292, 0.37754067, 0.5, 0.6791787, 0.95257413, .nan, 1.0, 0.0]
    ),
    map(
      "silu.values",
      Silu(),
      [-2.0, -0.5, 0.0, 0.75, 3.0, -.infinity, .infinity],
      [-0.23840584, -0.18877033, 0.0, 0.50938402, 2.85772238, .nan, .infinity]
    ),
    map(
      "softplus.values",
      Softplus(),
      [-2.0, -0.5, 0.0, 0.75, 3.0, 100.0, -.infinity],
      [0.12692801, 0.47407698, 0.69314718, 1.13687101, 3.04858735, 100.0, 0.0]
    ),
    map(
      "softsign.values",
      Softsign(),
      [-2.0, -0.5, 0.0, 0.75, 3.0, .infinity, -.infinity],
      [-0.66666667, -0.33333333, 0.0, 0.42857143, 0.75, 1.0, -1.0]
    ),
    map("leaky_relu.values", LeakyRelu(alpha: 0.1), [-2.0, -0.5, 0.0, 0.75, 3.0], [-0.2, -0.05, 0.0, 0.75, 3.0]),
    map(
      "elu.values",
      Elu(alpha: 2),
      [-2.0, -0.5, 0.0, 0.75, 3.0, -.infinity],
      [-1.72932943, -0.78693868, 0.0, 0.75, 3.0, -2.0]
    ),
    map(
      "selu.values",
      Selu(alpha: 2, gamma: 3),
      [-2.0, -0.5, 0.0, 0.75, 3.0],
      [-5.1879883, -2.36081604, 0.0, 2.25, 9.0]
    ),
    map("celu.values", Celu(alpha: 2), [-2.0, -0.5, 0.0, 0.75, 3.0], [-1.26424112, -0.44239843, 0.0, 0.75, 3.0]),
    map(
      "sigmoid_hard.values",
      SigmoidHard(alpha: 0.5, beta: 0.6),
      [-2.0, -0.5, 0.0, 0.75, 3.0],
      [0.0, 0.35, 0.6, 0.975, 1.0]
    ),
    map(
      "hard_swish.values",
      HardSwish(),
      [-4.0, -2.0, -0.5, 0.0, 0.75, 3.0, 5.0],
      [-0.0, -0.33333333, -0.20833333, 0.0, 0.46875, 3.0, 5.0]
    ),
    map(
      "mish.values",
      Mish(),
      [-2.0, -0.5, 0.0, 0.75, 3.0, -.infinity, .infinity],
      [-0.25250148, -0.22074377, 0.0, 0.61001834, 2.986535, 0.0, .infinity]
    ),
    map(
      "thresholded_relu.values",
      ThresholdedRelu(alpha: 0.75),
      [-2.0, -0.5, 0.0, 0.75, 3.0, .infinity, -.infinity, .nan],
      [0.0, 0.0, 0.0, 0.0, 3.0, .infinity, 0.0, 0.0]
    ),
    integers("relu.int32", Relu(), .int32, [-3, 0, 5], [0, 0, 5]),
    OperatorCase(
      "prelu.channels",
      Prelu(),
      [[Tensor([2, 2], floats: [-1, 2, -3, -4])], [Tensor([2, 1], floats: [0.5, 2])]],
      expected: [Tensor([2, 2], floats: [-0.5, 2, -6, -8])],
      constants: ["alpha"]
    ),
  ]

  private static func map(_ label: String, _ op: any Operator, _ x: [Float], _ y: [Float]) -> OperatorCase {
    OperatorCase(label, op, [[Tensor([x.count], floats: x)]], expected: [Tensor([y.count], floats: y)])
  }

  private static func integers(_ label: String, _ op: any Operator, _ dtype: DType, _ x: [Int], _ y: [Int])
    -> OperatorCase
  {
    OperatorCase(label, op, [[Tensor(dtype, [x.count], x)]], expected: [Tensor(dtype, [y.count], y)])
  }
}
