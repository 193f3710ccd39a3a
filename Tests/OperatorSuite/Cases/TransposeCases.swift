import MLCCore
import MLCOps

extension OperatorCase {
  static let transpose: [OperatorCase] = [
    OperatorCase(
      "transpose.2d",
      Transpose([1, 0]),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])]],
      expected: [Tensor([3, 2], floats: [1, 4, 2, 5, 3, 6])]
    ),
    OperatorCase(
      "transpose.3d",
      Transpose([2, 0, 1]),
      [[Tensor(.int64, [2, 1, 3], [1, 2, 3, 4, 5, 6])]],
      expected: [Tensor(.int64, [3, 2, 1], [1, 4, 2, 5, 3, 6])]
    ),
    OperatorCase(
      "transpose.negative-axes",
      Transpose([-1, -2]),
      [[Tensor(.uint8, [1, 2], [7, 9])]],
      expected: [Tensor(.uint8, [2, 1], [7, 9])]
    ),
    OperatorCase(
      "transpose.scalar",
      Transpose([]),
      [[Tensor([], floats: [5])]],
      expected: [Tensor([], floats: [5])]
    ),
    OperatorCase(
      "transpose.empty",
      Transpose([1, 0]),
      [[Tensor([0, 3], floats: [])]],
      expected: [Tensor([3, 0], floats: [])]
    ),
  ]
}
