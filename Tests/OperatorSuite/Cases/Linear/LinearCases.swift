import MLCCore
import MLCGraph
import MLCOps

extension OperatorCase {
  static let linearCases: [OperatorCase] = [
    OperatorCase(
      "matmul.matrices",
      MatMul(),
      [[counting([2, 3])], [counting([3, 2])]],
      expected: [Tensor(.float32, [2, 2], [22.0, 28, 49, 64])]
    ),
    OperatorCase(
      "matmul.transposed",
      MatMul(transposeX: true, transposeY: true),
      [[counting([3, 2])], [counting([2, 3])]],
      expected: [Tensor(.float32, [2, 2], [22.0, 49, 28, 64])]
    ),
    OperatorCase(
      "matmul.broadcast",
      MatMul(),
      [[counting([2, 1, 1, 2])], [counting([3, 2, 1])]],
      expected: [Tensor(.float32, [2, 3, 1, 1], [5.0, 11, 17, 11, 25, 39])]
    ),
    OperatorCase(
      "matmul.vectors",
      MatMul(),
      [[counting([3])], [counting([3])]],
      expected: [Tensor(.float32, [], [14.0])]
    ),
    OperatorCase(
      "matmul.vector-matrix",
      MatMul(transposeX: true),
      [[counting([2])], [counting([2, 3])]],
      expected: [Tensor(.float32, [3], [9.0, 12, 15])]
    ),
    OperatorCase(
      "matmul.matrix-vector",
      MatMul(),
      [[counting([2, 3])], [counting([3])]],
      expected: [Tensor(.float32, [2], [14.0, 32])]
    ),
    OperatorCase(
      "matmul.wraps",
      MatMul(),
      [[Tensor(.int32, [1, 2], [1 << 30, 1])], [Tensor(.int32, [2, 1], [4, 7])]],
      expected: [Tensor(.int32, [1, 1], [7])]
    ),
    OperatorCase(
      "matmul.nothing-to-add",
      MatMul(),
      [[Tensor(.float32, [2, 0], [Double]())], [Tensor(.float32, [0, 2], [Double]())]],
      expected: [Tensor(.float32, [2, 2], [0.0, 0, 0, 0])]
    ),
    OperatorCase(
      "matmul.double",
      MatMul(),
      [[Tensor(.float64, [1, 2], [1.0, 1])], [Tensor(.float64, [2, 1], [1.0, 0x1p-40])]],
      expected: [Tensor(.float64, [1, 1], [1 + 0x1p-40])],
      rtol: 0,
      atol: 0
    ),
    OperatorCase(
      "matmul.cancels",
      MatMul(),
      [[Tensor(.float32, [1, 3], [1e8, 1, -1e8])], [ones([3, 1])]],
      expected: [Tensor(.float32, [1, 1], [1.0])]
    ),
    OperatorCase(
      "matmul.not-a-multiple-of-four",
      MatMul(),
      [[ones([5, 9])], [ones([9, 7])]],
      expected: [Tensor(.float32, [5, 7], [Double](repeating: 9, count: 35))]
    ),
    OperatorCase(
      "linear.bias",
      Linear(),
      [[counting([1, 2, 2])], [counting([3, 2])], [Tensor(.float32, [3], [0.5, 0, -0.5])]],
      expected: [Tensor(.float32, [1, 2, 3], [5.5, 11, 16.5, 11.5, 25, 38.5])],
      constants: ["weight", "bias"]
    ),
    OperatorCase(
      "linear.vector",
      Linear(),
      [[counting([2])], [counting([1, 2])], []],
      expected: [Tensor(.float32, [1], [5.0])]
    ),
    OperatorCase(
      "linear.half-rounds-once",
      Linear(),
      [
        [Tensor(.float16, [1, 2], [2048.0, 1])], [Tensor(.float16, [1, 2], [1.0, 1])], [Tensor(.float16, [1], [1.0])],
      ],
      expected: [Tensor(.float16, [1, 1], [2050.0])],
      rtol: 0,
      atol: 0
    ),
  ]
}
