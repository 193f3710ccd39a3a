import MLCCore
import MLCGraph
import MLCOps

extension OperatorCase {
  /// Sums of windows are easy to check by hand: weights of ones, data counting up from 1.
  static let convCases: [OperatorCase] = [
    OperatorCase(
      "conv.one-pixel-kernel",
      Conv(),
      [[counting([1, 2, 1, 2])], [Tensor(.float32, [1, 2, 1, 1], [10.0, 1])], []],
      expected: [Tensor(.float32, [1, 1, 1, 2], [13.0, 24])],
      constants: ["weight"]
    ),
    OperatorCase(
      "conv.pad-stride-bias",
      made {
        $0.pad = [1, 1, 1, 1]
        $0.strides = [2, 2]
      },
      [[counting([1, 1, 3, 3])], [ones([1, 1, 3, 3])], [Tensor(.float32, [1], [0.5])]],
      expected: [Tensor(.float32, [1, 1, 2, 2], [12.5, 16.5, 24.5, 28.5])],
      constants: ["weight", "bias"]
    ),
    OperatorCase(
      "conv.same-puts-the-odd-padding-last",
      made { $0.padType = "same" },
      [[counting([1, 1, 3])], [Tensor(.float32, [1, 1, 2], [1.0, 10])], []],
      expected: [Tensor(.float32, [1, 1, 3], [21.0, 32, 3])]
    ),
    OperatorCase(
      "conv.same-lower-puts-it-first",
      made { $0.padType = "same_lower" },
      [[counting([1, 1, 3])], [Tensor(.float32, [1, 1, 2], [1.0, 10])], []],
      expected: [Tensor(.float32, [1, 1, 3], [10.0, 21, 32])]
    ),
    OperatorCase(
      "conv.dilation",
      made { $0.dilations = [2] },
      [[counting([1, 1, 5])], [Tensor(.float32, [1, 1, 2], [1.0, 10])], []],
      expected: [Tensor(.float32, [1, 1, 3], [31.0, 42, 53])]
    ),
    OperatorCase(
      "conv.groups",
      made { $0.groups = 2 },
      [[counting([1, 2, 2])], [Tensor(.float32, [4, 1, 1], [1.0, 2, 3, 4])], []],
      expected: [Tensor(.float32, [1, 4, 2], [1.0, 2, 2, 4, 9, 12, 12, 16])],
      constants: ["weight"]
    ),
    OperatorCase(
      "conv.three-axes",
      Conv(),
      [[counting([1, 1, 2, 2, 2])], [ones([1, 1, 2, 2, 2])], []],
      expected: [Tensor(.float32, [1, 1, 1, 1, 1], [36.0])]
    ),
    OperatorCase(
      "conv.three-axes-groups-stride-pad",
      made {
        $0.groups = 2
        $0.strides = [1, 1, 2]
        $0.pad = [1, 0, 0, 0, 0, 1]
      },
      [[counting([1, 2, 2, 2, 3])], [ones([2, 1, 2, 1, 2])], []],
      expected: [
        Tensor(
          .float32,
          [1, 2, 2, 2, 2],
          [3.0, 3, 9, 6, 18, 12, 30, 18, 27, 15, 33, 18, 66, 36, 78, 42]
        )
      ]
    ),
    OperatorCase(
      "conv.brain-groups",
      made { $0.groups = 2 },
      [[Tensor(.bfloat16, [1, 2, 2], [1.0, 2, 3, 4])], [Tensor(.bfloat16, [2, 1, 2], [1.0, 2, 3, 4])], []],
      expected: [Tensor(.bfloat16, [1, 2, 1], [5.0, 25])],
      constants: ["weight"]
    ),
    OperatorCase(
      "conv.half",
      Conv(),
      [[Tensor(.float16, [1, 1, 2], [1.0, 2])], [Tensor(.float16, [1, 1, 1], [3.0])], []],
      expected: [Tensor(.float16, [1, 1, 2], [3.0, 6])]
    ),
    OperatorCase(
      "conv.no-images",
      Conv(),
      [[Tensor(.float32, [0, 1, 2], [Double]())], [ones([1, 1, 1])], []],
      expected: [Tensor(.float32, [0, 1, 2], [Double]())]
    ),
    OperatorCase(
      "conv.nan-stays-in-its-windows",
      Conv(),
      [[Tensor(.float32, [1, 1, 4], [.nan, 1, 2, .infinity])], [ones([1, 1, 2])], []],
      expected: [Tensor(.float32, [1, 1, 3], [.nan, 3, .infinity])]
    ),
    OperatorCase(
      "conv.many-channels",
      Conv(),
      [[ones([1, 37, 5, 7])], [ones([6, 37, 1, 1])], []],
      expected: [Tensor(.float32, [1, 6, 5, 7], [Double](repeating: 37, count: 210))]
    ),
  ]

  static let convTransposeCases: [OperatorCase] = [
    OperatorCase(
      "conv_transpose.spreads",
      ConvTranspose(),
      [[Tensor(.float32, [1, 1, 2], [1.0, 2])], [Tensor(.float32, [1, 1, 3], [1.0, 10, 100])], []],
      expected: [Tensor(.float32, [1, 1, 4], [1.0, 12, 120, 200])]
    ),
    OperatorCase(
      "conv_transpose.stride-pad-bias",
      madeTransposed {
        $0.strides = [2]
        $0.pad = [1, 0]
        $0.outputPadding = [1]
      },
      [
        [Tensor(.float32, [1, 1, 2], [1.0, 2])], [Tensor(.float32, [1, 1, 3], [1.0, 10, 100])],
        [Tensor(.float32, [1], [0.5])],
      ],
      expected: [Tensor(.float32, [1, 1, 5], [10.5, 102.5, 20.5, 200.5, 0.5])]
    ),
    OperatorCase(
      "conv_transpose.same",
      madeTransposed {
        $0.strides = [2]
        $0.padType = "same"
      },
      [[Tensor(.float32, [1, 1, 2], [1.0, 2])], [Tensor(.float32, [1, 1, 3], [1.0, 10, 100])], []],
      expected: [Tensor(.float32, [1, 1, 4], [1.0, 10, 102, 20])],
      constants: ["weight"]
    ),
    // Phases with fewer taps than others, and an infinity: it reaches the results under its own taps alone.
    OperatorCase(
      "conv_transpose.phases-infinity",
      madeTransposed { $0.strides = [2, 3] },
      [
        [Tensor(.float32, [1, 1, 2, 2], [.infinity, 1.0, 2, 3])],
        [Tensor(.float32, [1, 1, 3, 2], [1.0, 2, 3, 4, 5, 6])], [],
      ],
      expected: [
        Tensor(
          .float32,
          [1, 1, 5, 5],
          [
            .infinity, .infinity, 0.0, 1, 2,  //
            .infinity, .infinity, 0, 3, 4,  //
            .infinity, .infinity, 0, 8, 12,  //
            6, 8, 0, 9, 12,  //
            10, 12, 0, 15, 18,
          ]
        )
      ],
      constants: ["weight"]
    ),
    OperatorCase(
      "conv_transpose.three-axes",
      madeTransposed { $0.strides = [1, 1, 2] },
      [[counting([1, 1, 1, 1, 2])], [counting([1, 2, 2, 1, 2])], []],
      expected: [
        Tensor(.float32, [1, 2, 2, 1, 4], [1.0, 2, 2, 4, 3, 4, 6, 8, 5, 6, 10, 12, 7, 8, 14, 16])
      ]
    ),
    OperatorCase(
      "conv_transpose.three-axes-phases",
      madeTransposed {
        $0.strides = [2, 1, 2]
        $0.groups = 2
        $0.pad = [1, 0, 0, 0, 0, 1]
      },
      [[counting([1, 2, 2, 1, 2])], [counting([2, 1, 3, 1, 3])], [Tensor(.float32, [2], [0.5, -1])]],
      expected: [
        Tensor(
          .float32,
          [1, 2, 4, 1, 4],
          [
            4.5, 5.5, 14.5, 10.5, 10.5, 14.5, 36.5, 24.5, 12.5, 15.5, 34.5, 20.5, 21.5, 24.5, 55.5, 32.5,  //
            64, 69, 152, 83, 149, 161, 349, 189, 90, 97, 208, 111, 111, 118, 253, 135,
          ]
        )
      ],
      constants: ["weight"]
    ),
    OperatorCase(
      "conv_transpose.groups-two-axes",
      madeTransposed {
        $0.groups = 2
        $0.dilations = [1, 2]
      },
      [[Tensor(.float32, [1, 2, 1, 1], [1.0, 2])], [Tensor(.float32, [2, 1, 1, 2], [3.0, 4, 5, 6])], []],
      expected: [Tensor(.float32, [1, 2, 1, 3], [3.0, 0, 4, 10, 0, 12])]
    ),
  ]

  private static func made(_ change: (inout Conv) -> Void) -> Conv {
    var op = Conv()
    change(&op)
    return op
  }
  private static func madeTransposed(_ change: (inout ConvTranspose) -> Void) -> ConvTranspose {
    var op = ConvTranspose()
    change(&op)
    return op
  }
}

/// 1, 2, 3, … as float32.
func counting(_ shape: [Int]) -> Tensor {
  Tensor(.float32, shape, (0..<shape.reduce(1, *)).map { Double($0 + 1) })
}
func ones(_ shape: [Int]) -> Tensor { Tensor(.float32, shape, [Double](repeating: 1, count: shape.reduce(1, *))) }
