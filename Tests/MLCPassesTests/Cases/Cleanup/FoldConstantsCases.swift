import MLCPasses

extension PassCase {
  static let foldConstants: [PassCase] = [
    PassCase(
      FoldConstants(),
      "arithmetic",
      before: """
        func @main(%x: fp32[2]) -> ("y" = %y) {
          %a = const {val = fp32[2](1.0, 2.0)}
          %b = const {val = fp32[2](3.0, 0.5)}
          %c = mul(x = %a, y = %b)
          %y = add(x = %x, y = %c) loc(node "sum" op "Add")
        }
        """,
      after: """
        func @main(%x: fp32[2]) -> ("y" = %y) {
          %c = const {val = fp32[2](3.0, 1.0)} : fp32[2]
          %y = add(x = %x, y = %c) : fp32[2] loc(node "sum" op "Add")
        }
        """
    ),
    PassCase(
      FoldConstants(),
      "shapes",
      before: """
        func @main(%x: fp32[2, 3]) -> ("y" = %y) {
          %s = shape(x = %x)
          %t = cast(x = %s) {dtype = int32}
          %z = reshape(x = %x, shape = %t) : fp32[a, b]
          %y = abs(x = %z) : fp32[a, b]
        }
        """,
      after: """
        func @main(%x: fp32[2, 3]) -> ("y" = %y) {
          %t = const {val = int32[2](2, 3)} : int32[2]
          %z = reshape(x = %x, shape = %t) : fp32[a, b]
          %y = abs(x = %z) : fp32[a, b]
        }
        """
    ),
    PassCase(
      FoldConstants(),
      "large",
      before: """
        func @main(%x: fp32[]) -> ("y" = %y) {
          %s = const {val = int64[2](3000, 3000)}
          %o = const {val = fp32[](1.5)}
          %f = fill(shape = %s, value = %o)
          %a = reduce_max(x = %f) {axes = [0, 1]}
          %y = add(x = %a, y = %x)
        }
        """,
      after: nil
    ),
    PassCase(
      FoldConstants(),
      "compressed",
      before: """
        func @main(%x: fp32[2]) -> ("y" = %y) {
          %d = const {val = int8[2](3, -4)}
          %s = const {val = fp32[1](0.5)}
          %w = constexpr_blockwise_shift_scale(data = %d, scale = %s)
          %y = add(x = %x, y = %w)
        }
        """,
      after: nil
    ),
  ]
}
