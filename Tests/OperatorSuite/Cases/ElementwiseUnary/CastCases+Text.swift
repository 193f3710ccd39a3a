import MLCCore
import MLCGraph
import MLCOps

/// Casts from and to texts.
extension OperatorCase {
  static let castTextCases: [OperatorCase] = [
    OperatorCase(
      "cast.text-to-float",
      Cast(.float32),
      [[Tensor([2, 4], strings: ["3.14", " 1000", "1e-5", "1E8", "NaN", "inf", "-INF", "+INF"])]],
      expected: [Tensor([2, 4], floats: [3.14, 1000, 1e-5, 1e8, .nan, .infinity, -.infinity, .infinity])]
    ),
    OperatorCase(
      "cast.text-to-double",
      Cast(.float64),
      [[Tensor([3], strings: ["0.1", "-0", "1e400"])]],
      expected: [Tensor(.float64, [3], [0.1, -0.0, .infinity])]
    ),
    OperatorCase(
      "cast.text-to-half",
      Cast(.float16),
      [[Tensor([2], strings: ["65504", "1e5"])]],
      expected: [Tensor(.float16, [2], [65504, .infinity])]
    ),
    OperatorCase(
      "cast.text-to-int64",
      Cast(.int64),
      [[Tensor([3], strings: ["9223372036854775807", "-12", "100.5"])]],
      expected: [Tensor(.int64, [3], [Int.max, -12, 100])]
    ),
    OperatorCase(
      "cast.text-to-uint64",
      Cast(.uint64),
      [[Tensor([2], strings: ["18446744073709551615", "7"])]],
      expected: [Tensor(.uint64, [2], [-1, 7])]
    ),
    OperatorCase(
      "cast.text-to-uint8",
      Cast(.uint8),
      [[Tensor([], strings: ["255"])]],
      expected: [Tensor(.uint8, [], [255])]
    ),
    OperatorCase(
      "cast.text-to-bool",
      Cast(.bool),
      [[Tensor([3], strings: ["0", "1", "0.5"])]],
      expected: [Tensor(.bool, [3], [0, 1, 1])]
    ),
    OperatorCase(
      "cast.float-to-text",
      Cast(.string),
      [[Tensor([2, 4], floats: [0.1, -2, 1e-5, 3.4028235e38, .nan, .infinity, -.infinity, -0.0])]],
      expected: [Tensor([2, 4], strings: ["0.1", "-2", "1e-05", "3.4028235e+38", "NaN", "INF", "-INF", "-0"])]
    ),
    OperatorCase(
      "cast.half-to-text",
      Cast(.string),
      [[Tensor(.float16, [2], [0.1, 65504])]],
      expected: [Tensor([2], strings: ["0.1", "65500"])]
    ),
    OperatorCase(
      "cast.int64-to-text",
      Cast(.string),
      [[Tensor(.int64, [3], [Int.min, 0, Int.max])]],
      expected: [Tensor([3], strings: ["-9223372036854775808", "0", "9223372036854775807"])]
    ),
    OperatorCase(
      "cast.uint64-to-text",
      Cast(.string),
      [[Tensor(.uint64, [1], [-1])]],
      expected: [Tensor([1], strings: ["18446744073709551615"])]
    ),
    OperatorCase(
      "cast.bool-to-text",
      Cast(.string),
      [[Tensor(.bool, [2], [1, 0])]],
      expected: [Tensor([2], strings: ["1", "0"])]
    ),
    OperatorCase(
      "cast.text-to-text",
      Cast(.string),
      [[Tensor([2], strings: ["a", "\u{65}\u{301}"])]],
      expected: [Tensor([2], strings: ["a", "\u{65}\u{301}"])]
    ),
    OperatorCase("cast.no-texts", Cast(.int32), [[Tensor([0], strings: [])]], expected: [Tensor(.int32, [0], [Int]())]),
  ]
}
