import MLCCore
import MLCGraph
import MLCOps

extension OperatorCase {
  static let tensorTransformationCases: [OperatorCase] = [
    OperatorCase(
      "depth_to_space.blocks-lead",
      DepthToSpace(block: 2),
      [[counting([1, 8, 1, 1])]],
      expected: [Tensor(.float32, [1, 2, 2, 2], [1.0, 3, 5, 7, 2, 4, 6, 8])]
    ),
    OperatorCase(
      "expand_dims.both-ends",
      ExpandDims([0, -1]),
      [[Tensor([2], floats: [1, 2])]],
      expected: [Tensor([1, 2, 1], floats: [1, 2])]
    ),
    OperatorCase(
      "pixel_shuffle.channels-lead",
      PixelShuffle(block: 2),
      [[counting([1, 8, 1, 1])]],
      expected: [Tensor(.float32, [1, 2, 2, 2], [1.0, 2, 3, 4, 5, 6, 7, 8])]
    ),
    OperatorCase(
      "pixel_unshuffle.channels-lead",
      PixelUnshuffle(block: 2),
      [[Tensor(.float32, [1, 2, 2, 2], [1.0, 2, 3, 4, 5, 6, 7, 8])]],
      expected: [counting([1, 8, 1, 1])]
    ),
    OperatorCase(
      "transpose.fp8",
      Transpose([1, 0]),
      [[Tensor(.float8e4m3fn, [2, 3], codes: [0, 0x7f, 0x80, 1, 2, 0xff])]],
      expected: [Tensor(.float8e4m3fn, [3, 2], codes: [0, 1, 0x7f, 2, 0x80, 0xff])]
    ),
    OperatorCase(
      "transpose.fp4",
      Transpose([1, 0]),
      [[Tensor(.float4e2m1, [3, 3], codes: [0, 1, 2, 3, 4, 15, 8, 7, 9])]],
      expected: [Tensor(.float4e2m1, [3, 3], codes: [0, 3, 8, 1, 4, 7, 2, 15, 9])]
    ),
    OperatorCase(
      "reverse.int2",
      Reverse([0]),
      [[Tensor(.int2, [5], [-2, -1, 0, 1, 1])]],
      expected: [Tensor(.int2, [5], [1, 1, 0, -1, -2])]
    ),
    OperatorCase(
      "reshape.int4",
      Reshape(),
      [[Tensor(.int4, [3, 3], [-8, 7, 1, 2, 3, 4, 5, 6, -1])], [.shape([9])]],
      expected: [Tensor(.int4, [9], [-8, 7, 1, 2, 3, 4, 5, 6, -1])],
      constants: ["shape"]
    ),
    target("reshape.flat", [2, 3], [6], [6]),
    target("reshape.minus-one", [2, 3, 4], [4, -1], [4, 6]),
    target("reshape.zero-copies", [2, 3, 4], [0, -1], [2, 12]),
    target("reshape.to-scalar", [1, 1], [], []),
    target("reshape.from-scalar", [], [1, 1], [1, 1]),
    target("reshape.empty", [0, 3], [3, 0], [3, 0], allowZero: true),
    OperatorCase(
      "reverse.last",
      Reverse([1]),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])]],
      expected: [Tensor([2, 3], floats: [3, 2, 1, 6, 5, 4])]
    ),
    OperatorCase(
      "reverse.all",
      Reverse(),
      [[Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])]],
      expected: [Tensor([2, 3], floats: [6, 5, 4, 3, 2, 1])]
    ),
    OperatorCase(
      "space_to_depth.blocks-lead",
      SpaceToDepth(block: 2),
      [[Tensor(.float32, [1, 2, 2, 2], [1.0, 3, 5, 7, 2, 4, 6, 8])]],
      expected: [counting([1, 8, 1, 1])]
    ),
    OperatorCase(
      "squeeze.one",
      Squeeze([0]),
      [[Tensor([1, 2, 1], floats: [1, 2])]],
      expected: [Tensor([2, 1], floats: [1, 2])]
    ),
    OperatorCase(
      "squeeze.all",
      Squeeze(),
      [[Tensor([1, 2, 1], floats: [1, 2])]],
      expected: [Tensor([2], floats: [1, 2])]
    ),
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

  private static func target(_ label: String, _ from: [Int], _ shape: [Int], _ to: [Int], allowZero: Bool = false)
    -> OperatorCase
  {
    var op = Reshape()
    op.allowZero = allowZero
    let values = (0..<from.reduce(1, *)).map { Double($0) - 2 }
    let x = Tensor(.float32, from, values)
    return OperatorCase(
      label,
      op,
      [[x], [.shape(shape)]],
      expected: [Tensor(.float32, to, values)],
      constants: ["shape"]
    )
  }
}
