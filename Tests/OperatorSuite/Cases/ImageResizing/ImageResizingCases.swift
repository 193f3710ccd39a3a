import MLCCore
import MLCGraph
import MLCOps

extension OperatorCase {
  static let imageResizingCases: [OperatorCase] = resizeCases + decodeImageCases

  private static let resizeCases: [OperatorCase] = [
    OperatorCase(
      "resize.nearest-asymmetric",
      Resize().setting(\.coordinateMode, "asymmetric").setting(\.nearestMode, "floor"),
      [[counting([1, 2])], [], [Tensor(.float32, [2], [2.0, 1.5])], []],
      expected: [Tensor(.float32, [2, 3], [1.0, 1, 2, 1, 1, 2])],
      constants: ["scales"]
    ),
    OperatorCase(
      "resize.linear-half-pixel",
      Resize().setting(\.mode, "linear").setting(\.axes, [1]),
      [[Tensor(.float32, [1, 2], [0.0, 4])], [Tensor.shape([4])], [], []],
      expected: [Tensor(.float32, [1, 4], [0.0, 1, 3, 4])],
      constants: ["sizes"]
    ),
    OperatorCase(
      "resize.linear-align-corners",
      Resize().setting(\.mode, "linear").setting(\.coordinateMode, "align_corners"),
      [[Tensor(.float32, [2], [0.0, 4])], [Tensor.shape([5])], [], []],
      expected: [Tensor(.float32, [5], [0.0, 1, 2, 3, 4])],
      constants: ["sizes"]
    ),
    OperatorCase(
      "resize.sizes-at-run-time",
      Resize().setting(\.mode, "linear").setting(\.coordinateMode, "align_corners"),
      [[Tensor(.float32, [2], [0.0, 4])], [Tensor.shape([3])], [], []],
      expected: [Tensor(.float32, [3], [0.0, 2, 4])]
    ),
    OperatorCase(
      "resize.cubic",
      Resize().setting(\.mode, "cubic"),
      [[Tensor(.float32, [4], [1.0, 2, 4, 8])], [], [Tensor(.float32, [1], [2.0])], []],
      expected: [
        Tensor(.float32, [8], [0.89453125, 1.15625, 1.5625, 2.41796875, 3.16015625, 5.1171875, 7.1640625, 8.421875])
      ],
      constants: ["scales"]
    ),
    OperatorCase(
      "resize.crop",
      Resize().setting(\.mode, "linear").setting(\.coordinateMode, "tf_crop_and_resize").setting(
        \.extrapolationValue,
        9
      ),
      [[counting([3])], [Tensor.shape([3])], [], [Tensor(.float32, [2], [0.5, 1.5])]],
      expected: [Tensor(.float32, [3], [2.0, 3, 9])],
      constants: ["sizes", "roi"]
    ),
  ]

  private static let decodeImageCases: [OperatorCase] = [
    decoding("rgb", "RGB", "P3 2 1 255  1 2 3  250 0 9", [1, 2, 3], [1, 2, 3, 250, 0, 9]),
    decoding("bgr", "BGR", "P3 2 1 255  1 2 3  250 0 9", [1, 2, 3], [3, 2, 1, 9, 0, 250]),
    decoding("luma", "Grayscale", "P3 2 1 255  255 0 0  0 0 255", [1, 2, 1], [76, 29]),
    decoding("grey-as-rgb", "RGB", "P2 1 2 15  0 15", [2, 1, 3], [0, 0, 0, 255, 255, 255]),
    decoding("bits", "Grayscale", "P1 3 1 1 0 1", [1, 3, 1], [0, 255, 0]),
    decoding("cut-off", "RGB", "P3 2 1 255  1 2 3", [0, 0, 3], []),
    decoding("no-picture", "Grayscale", "text", [0, 0, 1], []),
    decoding("nothing", "RGB", "", [0, 0, 3], []),
  ]

  /// A file of text.
  private static func decoding(_ label: String, _ format: String, _ file: String, _ shape: [Int], _ pixels: [Int])
    -> OperatorCase
  {
    OperatorCase(
      "decode_image.\(label)",
      DecodeImage(pixelFormat: format),
      [[Tensor(.uint8, [file.utf8.count], file.utf8.map { Int($0) })]],
      expected: [Tensor(.uint8, shape, pixels)]
    )
  }
}
