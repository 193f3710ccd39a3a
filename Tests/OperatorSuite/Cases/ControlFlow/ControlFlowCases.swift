import MLCCore
import MLCGraph
import MLCOps

extension OperatorCase {
  static let controlFlowCases: [OperatorCase] = [
    OperatorCase(
      "select.broadcast",
      Select(),
      [[Tensor(.bool, [2, 1], [1, 0])], [Tensor([2], floats: [1, .nan])], [Tensor([], floats: [9])]],
      expected: [Tensor([2, 2], floats: [1, .nan, 9, 9])]
    ),
    OperatorCase(
      "select.strings",
      Select(),
      [[Tensor(.bool, [2], [1, 0])], [Tensor([2], strings: ["a", "b"])], [Tensor([2], strings: ["c", "d"])]],
      expected: [Tensor([2], strings: ["a", "d"])]
    ),
    OperatorCase(
      "const.float",
      Const(Tensor([2], floats: [1, .nan])),
      [],
      expected: [Tensor([2], floats: [1, .nan])]
    ),
    OperatorCase("const.empty", Const(.shape([])), [], expected: [.shape([])]),
    OperatorCase(
      "ensure.holds",
      Ensure(),
      [[Tensor([2, 3], floats: [1, -0.0, .nan, 4, 5, .infinity])], [Tensor(.bool, [], [1])]],
      expected: [Tensor([2, 3], floats: [1, -0.0, .nan, 4, 5, .infinity])]
    ),
    OperatorCase(
      "ensure.constant",
      Ensure(),
      [[Tensor([1], floats: [7])], [Tensor(.bool, [1], [1])]],
      expected: [Tensor([1], floats: [7])],
      constants: ["holds"]
    ),
    OperatorCase(
      "ensure.empty",
      Ensure(),
      [[Tensor([0, 2], floats: [])], [Tensor(.bool, [1, 1], [1])]],
      expected: [Tensor([0, 2], floats: [])]
    ),
  ]
}
