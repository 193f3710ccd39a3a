import MLCPasses

extension PassCase {
  private static let planesWeight =
    "fp32[16, 16, 1, 3, 3](" + (0..<2304).map { "\(Double($0 % 23 - 11) / 8)" }.joined(separator: ", ") + ")"

  static let planesOfConv3D: [PassCase] = [
    PassCase(
      PlanesOfConv3D(),
      "one-plane",
      before: """
        func @main(%x: fp32[n, 16, 2, 3, 4]) -> ("y" = %y) {
          %w = const {val = \(planesWeight)}
          %y = conv(x = %x, weight = %w) {pad = [0, 0, 1, 1, 1, 1]}
        }
        """,
      after: """
        func @main(%x: fp32[n, 16, 2, 3, 4]) -> ("y" = %y) {
          %transpose = transpose(x = %x) {perm = [0, 2, 1, 3, 4]} : fp32[n, 2, 16, 3, 4]
          %begin = const {val = int32[5](0, 0, 0, 0, 0)} : int32[5]
          %end = const {val = int32[5](0, 2, 0, 0, 0)} : int32[5]
          %stride = const {val = int32[5](1, 1, 1, 1, 1)} : int32[5]
          %slice_by_index = slice_by_index(x = %transpose, begin = %begin, end = %end, stride = %stride) \
        {begin_mask = [true, false, true, true, true], end_mask = [true, false, true, true, true]} \
        : fp32[n, 2, 16, 3, 4]
          %shape = const {val = int32[4](-1, 16, 3, 4)} : int32[4]
          %reshape = reshape(x = %slice_by_index, shape = %shape) : fp32[2*n, 16, 3, 4]
          %weight = const {val = fp32[16, 16, 3, 3]@blob(0)} : fp32[16, 16, 3, 3]
          %conv = conv(x = %reshape, weight = %weight) {strides = [1, 1], dilations = [1, 1], pad = [1, 1, 1, 1]} \
        : fp32[2*n, 16, 3, 4]
          %shape_12 = const {val = int32[5](-1, 2, 16, 3, 4)} : int32[5]
          %reshape_13 = reshape(x = %conv, shape = %shape_12) : fp32[n, 2, 16, 3, 4]
          %y = transpose(x = %reshape_13) {perm = [0, 2, 1, 3, 4]} : fp32[n, 16, 2, 3, 4]
        }
        """,
      sizes: ["n": 2]
    )
  ]
}
