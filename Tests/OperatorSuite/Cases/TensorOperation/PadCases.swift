import MLCCore
import MLCOps

extension OperatorCase {
  static let padCases: [OperatorCase] = [
    OperatorCase(
      "pad.constant",
      Pad(mode: "constant"),
      [[Tensor([2], floats: [1, 2])], [Tensor(.int64, [2], [1, 2])], [Tensor([], floats: [9.0])]],
      expected: [Tensor([5], floats: [9, 1, 2, 9, 9])],
      constants: ["pad"]
    ),
    OperatorCase(
      "pad.zero-last-axis",
      Pad(mode: "constant"),
      [[Tensor([2, 1], floats: [1, 2])], [Tensor(.int64, [2], [0, 1])]],
      expected: [Tensor([2, 2], floats: [1, 0, 2, 0])],
      constants: ["pad"]
    ),
    OperatorCase(
      "pad.negative",
      Pad(mode: "constant"),
      [[Tensor([3], floats: [1, 2, 3])], [Tensor(.int64, [2], [-1, 1])]],
      expected: [Tensor([3], floats: [2, 3, 0])],
      constants: ["pad"]
    ),
    OperatorCase(
      "pad.reflect",
      Pad(mode: "reflect"),
      [[Tensor([3], floats: [1, 2, 3])], [Tensor(.int64, [2], [2, 2])]],
      expected: [Tensor([7], floats: [3, 2, 1, 2, 3, 2, 1])],
      constants: ["pad"]
    ),
    OperatorCase(
      "pad.reflect-matrix",
      Pad(mode: "reflect"),
      [[Tensor([2, 2], floats: [1, 2, 3, 4])], [Tensor(.int64, [4], [1, 0, 0, 1])]],
      expected: [Tensor([3, 3], floats: [3, 4, 3, 1, 2, 1, 3, 4, 3])],
      constants: ["pad"]
    ),
    OperatorCase(
      "pad.replicate",
      Pad(mode: "replicate"),
      [[Tensor([2], floats: [1, 2])], [Tensor(.int64, [2], [2, 1])]],
      expected: [Tensor([5], floats: [1, 1, 1, 2, 2])],
      constants: ["pad"]
    ),
    OperatorCase(
      "pad.wrap",
      Pad(mode: "wrap"),
      [[Tensor([3], floats: [1, 2, 3])], [Tensor(.int64, [2], [1, 2])]],
      expected: [Tensor([6], floats: [3, 1, 2, 3, 1, 2])],
      constants: ["pad"]
    ),
    OperatorCase(
      "pad.run-time",
      Pad(mode: "constant"),
      [[Tensor([1], floats: [1])], [Tensor(.int64, [2], [0, 1])]],
      expected: [Tensor([2], floats: [1, 0])]
    ),
  ]
}
