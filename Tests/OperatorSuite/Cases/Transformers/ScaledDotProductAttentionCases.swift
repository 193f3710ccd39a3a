import MLCCore
import MLCGraph
import MLCOps

extension OperatorCase {
  static let scaledDotProductAttentionCases: [OperatorCase] = [
    OperatorCase(
      "scaled_dot_product_attention.weights",
      ScaledDotProductAttention(),
      [
        [Tensor(.float32, [1, 1, 4], [2 * 1.0986122886681098, 0, 0, 0])],
        [Tensor(.float32, [1, 2, 4], [1.0, 0, 0, 0, 0, 0, 0, 0])], [Tensor(.float32, [1, 2, 1], [4.0, 8])], [],
      ],
      expected: [Tensor(.float32, [1, 1, 1], [5.0])]
    ),
    OperatorCase(
      "scaled_dot_product_attention.bool-mask",
      ScaledDotProductAttention(),
      [
        [ones([1, 2, 1])], [ones([1, 2, 1])], [Tensor(.float32, [1, 2, 1], [4.0, 8])],
        [Tensor(.bool, [2, 2], [1, 0, 0, 1])],
      ],
      expected: [Tensor(.float32, [1, 2, 1], [4.0, 8])]
    ),
    OperatorCase(
      "scaled_dot_product_attention.masked-score",
      ScaledDotProductAttention(maskedScore: -1e9),
      [
        [ones([1, 2, 1])], [ones([1, 2, 1])], [Tensor(.float32, [1, 2, 1], [4.0, 8])],
        [Tensor(.bool, [2, 2], [1, 0, 0, 0])],
      ],
      expected: [Tensor(.float32, [1, 2, 1], [4.0, 6])]
    ),
    OperatorCase(
      "scaled_dot_product_attention.added-mask-broadcasts",
      ScaledDotProductAttention(),
      [
        [ones([2, 1, 1, 1])], [ones([1, 3, 2, 1])], [Tensor(.float32, [1, 1, 2, 1], [4.0, 8])],
        [Tensor(.float32, [1, 2], [1.0986122886681098, 0])],
      ],
      expected: [Tensor(.float32, [2, 3, 1, 1], [5.0, 5, 5, 5, 5, 5])]
    ),
  ]
}
