import MLCCore
import MLCGraph
import MLCOps

extension OperatorCase {
  static let poolCases: [OperatorCase] = [
    OperatorCase(
      "max_pool.stride",
      most {
        $0.kernelSizes = [2, 2]
        $0.strides = [2, 2]
      },
      [[counting([1, 1, 4, 4])]],
      expected: [Tensor(.float32, [1, 1, 2, 2], [6.0, 8, 14, 16])]
    ),
    OperatorCase(
      "max_pool.ceil-starts-no-window-past-the-data",
      most {
        $0.kernelSizes = [2]
        $0.strides = [3]
        $0.ceilMode = true
        $0.pad = [0, 1]
      },
      [[counting([1, 1, 6])]],
      expected: [Tensor(.float32, [1, 1, 2], [2.0, 5])]
    ),
    OperatorCase(
      "max_pool.ceil-keeps-a-part-of-a-window",
      most {
        $0.kernelSizes = [3]
        $0.strides = [2]
        $0.ceilMode = true
      },
      [[counting([1, 1, 4])]],
      expected: [Tensor(.float32, [1, 1, 2], [3.0, 4])]
    ),
    OperatorCase(
      "max_pool.same-dilated-negative",
      most {
        $0.kernelSizes = [2]
        $0.dilations = [2]
        $0.padType = "same"
      },
      [[Tensor(.float32, [1, 1, 3], [-3.0, -2, -1])]],
      expected: [Tensor(.float32, [1, 1, 3], [-2.0, -1, -2])]
    ),
    OperatorCase(
      "max_pool.nan",
      most { $0.kernelSizes = [2] },
      [[Tensor(.float32, [1, 1, 3], [1.0, .nan, 2])]],
      expected: [Tensor(.float32, [1, 1, 2], [.nan, .nan])]
    ),
    OperatorCase(
      "max_pool.index-of-nan",
      most {
        $0.kernelSizes = [3]
        $0.returnIndices = true
      },
      [[Tensor(.float32, [1, 1, 3], [1.0, .nan, 2])]],
      expected: [Tensor(.float32, [1, 1, 1], [.nan]), Tensor(.int64, [1, 1, 1], [1])]
    ),
    OperatorCase(
      "max_pool.indices",
      most {
        $0.kernelSizes = [1, 2]
        $0.returnIndices = true
      },
      [[Tensor(.float32, [1, 2, 2, 2], [1.0, 1, 2, 3, 4, 3, 0, 9])]],
      expected: [Tensor(.float32, [1, 2, 2, 1], [1.0, 3, 4, 9]), Tensor(.int64, [1, 2, 2, 1], [0, 3, 4, 7])]
    ),
    OperatorCase(
      "max_pool.indices-are-never-of-padding",
      most {
        $0.kernelSizes = [2, 3]
        $0.dilations = [1, 2]
        $0.pad = [1, 0, 3, 1]
        $0.returnIndices = true
      },
      [[Tensor(.float32, [1, 1, 2, 2], [-.infinity, -.infinity, -.infinity, 5])]],
      expected: [
        Tensor(.float32, [1, 1, 2, 2], [-.infinity, -.infinity, 5, -.infinity]),
        Tensor(.int64, [1, 1, 2, 2], [1, 0, 3, 0]),
      ]
    ),
    OperatorCase(
      "max_pool.bytes",
      most {
        $0.kernelSizes = [2]
        $0.pad = [1, 0]
      },
      [[Tensor(.int8, [1, 1, 2], [-5, -7])]],
      expected: [Tensor(.int8, [1, 1, 2], [-5, -5])]
    ),
    OperatorCase(
      "avg_pool.padding-counts",
      mean {
        $0.kernelSizes = [2]
        $0.pad = [1, 1]
      },
      [[Tensor(.float32, [1, 1, 2], [2.0, 4])]],
      expected: [Tensor(.float32, [1, 1, 3], [1.0, 3, 2])]
    ),
    OperatorCase(
      "avg_pool.padding-does-not-count",
      mean {
        $0.kernelSizes = [2]
        $0.pad = [1, 1]
        $0.excludePaddingFromAverage = true
      },
      [[Tensor(.float32, [1, 1, 2], [2.0, 4])]],
      expected: [Tensor(.float32, [1, 1, 3], [2.0, 3, 4])]
    ),
    OperatorCase(
      "avg_pool.what-ceil-adds-never-counts",
      mean {
        $0.kernelSizes = [3]
        $0.strides = [2]
        $0.ceilMode = true
      },
      [[Tensor(.float32, [1, 1, 4], [1.0, 2, 3, 5])]],
      expected: [Tensor(.float32, [1, 1, 2], [2.0, 4])]
    ),
    OperatorCase(
      "avg_pool.three-axes",
      mean { $0.kernelSizes = [2, 2, 2] },
      [[counting([1, 1, 2, 2, 2])]],
      expected: [Tensor(.float32, [1, 1, 1, 1, 1], [4.5])]
    ),
  ]

  private static func most(_ change: (inout MaxPool) -> Void) -> MaxPool {
    var op = MaxPool()
    change(&op)
    return op
  }
  private static func mean(_ change: (inout AvgPool) -> Void) -> AvgPool {
    var op = AvgPool()
    change(&op)
    return op
  }
}
