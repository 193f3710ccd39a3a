import MLCCore
import MLCGraph
import MLCOps

extension OperatorCase {
  static let normalizationCases: [OperatorCase] = [
    OperatorCase(
      "batch_norm.all",
      BatchNorm(epsilon: 0),
      [
        [counting([1, 2, 2])], [Tensor(.float32, [2], [1.0, 2])], [Tensor(.float32, [2], [4.0, 0.25])],
        [Tensor(.float32, [2], [1.0, 2])], [Tensor(.float32, [2], [0.0, 1])],
      ],
      expected: [Tensor(.float32, [1, 2, 2], [0.0, 0.5, 5, 9])],
      constants: ["mean", "variance", "gamma", "beta"]
    ),
    OperatorCase(
      "batch_norm.no-affine",
      BatchNorm(epsilon: 3),
      [[counting([2, 1])], [Tensor(.float32, [1], [1.0])], [Tensor(.float32, [1], [1.0])], [], []],
      expected: [Tensor(.float32, [2, 1], [0.0, 0.5])]
    ),
    OperatorCase(
      "instance_norm.affine",
      InstanceNorm(epsilon: 0),
      [
        [Tensor(.float32, [1, 2, 2], [1.0, 3, 10, 30])], [Tensor(.float32, [2], [1.0, 2])],
        [Tensor(.float32, [2], [0.0, 1])],
      ],
      expected: [Tensor(.float32, [1, 2, 2], [-1.0, 1, -1, 3])]
    ),
    OperatorCase(
      "layer_norm.last-axis",
      LayerNorm(axes: [-1], epsilon: 0),
      [
        [Tensor(.float32, [2, 2], [1.0, 3, 4, 4.5])], [Tensor(.float32, [2], [2.0, 1])],
        [Tensor(.float32, [2], [0.0, 10])],
      ],
      expected: [Tensor(.float32, [2, 2], [-2.0, 11, -2, 11])]
    ),
    OperatorCase(
      "layer_norm.first-axis",
      LayerNorm(axes: [0], epsilon: 3),
      [[Tensor(.float32, [2, 2], [1.0, 5, 3, 7])], [], []],
      expected: [Tensor(.float32, [2, 2], [-0.5, -0.5, 0.5, 0.5])]
    ),
    OperatorCase(
      "layer_norm.nan-spreads-in-its-group",
      LayerNorm(axes: [1], epsilon: 0),
      [[Tensor(.float32, [2, 2], [.nan, 1, 1, 3])], [], []],
      expected: [Tensor(.float32, [2, 2], [.nan, .nan, -1, 1])]
    ),
    OperatorCase(
      "local_response_norm.even-size-reaches-further-up",
      neighbours,
      [[Tensor(.float32, [1, 3, 1], [1.0, 2, 3])]],
      expected: [Tensor(.float32, [1, 3, 1], [1 / 6.0, 2 / 14.0, 3 / 10.0])]
    ),
  ]

  private static var neighbours: LocalResponseNorm {
    var op = LocalResponseNorm()
    (op.size, op.alpha, op.beta, op.k) = (2, 2, 1, 1)
    return op
  }
}
