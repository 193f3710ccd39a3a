import MLCCore
import MLCOps

extension OperatorCase {
  static let scatterGatherCases: [OperatorCase] = [
    OperatorCase(
      "gather_along_axis.columns",
      GatherAlongAxis(axis: 1),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int64, [2, 2], [2, 0, 1, -3])]],
      expected: [Tensor([2, 2], floats: [3, 1, 5, 4])]
    ),
    OperatorCase(
      "gather.rows",
      Gather(axis: 0),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int64, [3], [1, 0, -1])]],
      expected: [Tensor([3, 3], floats: [4, 5, 6, 1, 2, 3, 4, 5, 6])]
    ),
    OperatorCase(
      "gather.scalar-index",
      Gather(axis: 1),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int64, [], [2])]],
      expected: [Tensor([2], floats: [3, 6])],
      constants: ["indices"]
    ),
    OperatorCase(
      "gather.matrix-index",
      Gather(axis: 1),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int32, [1, 2], [0, 2])]],
      expected: [Tensor([2, 1, 2], floats: [1, 3, 4, 6])]
    ),
    OperatorCase(
      "gather.batch",
      batched,
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int64, [2, 1], [2, 0])]],
      expected: [Tensor([2, 1], floats: [3, 4])]
    ),
    OperatorCase(
      "gather_nd.elements",
      GatherNd(),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int64, [2, 2], [0, 1, 1, -1])]],
      expected: [Tensor([2], floats: [2, 6])],
      constants: ["indices"]
    ),
    OperatorCase(
      "gather_nd.rows",
      GatherNd(),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int64, [2, 1], [1, 0])]],
      expected: [Tensor([2, 3], floats: [4, 5, 6, 1, 2, 3])],
      constants: ["indices"]
    ),
    OperatorCase(
      "gather_nd.batch",
      batchedND,
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int64, [2, 1], [2, 0])]],
      expected: [Tensor([2], floats: [3, 4])],
      constants: ["indices"]
    ),
    OperatorCase(
      "scatter_along_axis.update",
      ScatterAlongAxis(axis: 1, mode: .update),
      [
        [Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int64, [2, 1], [2, 0])],
        [Tensor([2, 1], floats: [9, 8])],
      ],
      expected: [Tensor([2, 3], floats: [1, 2, 9, 8, 5, 6])]
    ),
    OperatorCase(
      "scatter_along_axis.mul",
      ScatterAlongAxis(axis: 0, mode: .mul),
      [[Tensor([2], floats: [2, 3])], [Tensor(.int64, [2], [1, 1])], [Tensor([2], floats: [2, 4])]],
      expected: [Tensor([2], floats: [2, 24])]
    ),
    OperatorCase(
      "scatter_nd.update",
      ScatterNd(mode: .update),
      [
        [Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])], [Tensor(.int64, [1, 1], [1])],
        [Tensor([1, 3], floats: [7, 8, 9])],
      ],
      expected: [Tensor([2, 3], floats: [1, 2, 3, 7, 8, 9])],
      constants: ["indices"]
    ),
    OperatorCase(
      "scatter_nd.add-twice",
      ScatterNd(mode: .add),
      [[Tensor([3], floats: [1, 1, 1])], [Tensor(.int64, [3, 1], [0, 0, -1])], [Tensor([3], floats: [1, 2, 3])]],
      expected: [Tensor([3], floats: [4, 1, 4])],
      constants: ["indices"]
    ),
    OperatorCase(
      "scatter_nd.max",
      ScatterNd(mode: .max),
      [[Tensor(.int64, [2], [1, 5])], [Tensor(.int64, [2, 1], [0, 1])], [Tensor(.int64, [2], [3, 4])]],
      expected: [Tensor(.int64, [2], [3, 5])],
      constants: ["indices"]
    ),
  ]

  private static var batched: Gather {
    var op = Gather(axis: 1)
    op.batchDims = 1
    return op
  }

  private static var batchedND: GatherNd {
    var op = GatherNd()
    op.batchDims = 1
    return op
  }
}
