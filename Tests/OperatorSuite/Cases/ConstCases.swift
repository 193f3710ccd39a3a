import MLCCore
import MLCGraph

extension OperatorCase {
  static let const: [OperatorCase] = [
    OperatorCase(
      "const.float",
      Const(Tensor([2], floats: [1, .nan])),
      [],
      expected: [Tensor([2], floats: [1, .nan])]
    ),
    OperatorCase("const.empty", Const(.shape([])), [], expected: [.shape([])]),
  ]
}
