import MLCPasses

extension PassCase {
  static let fusePadIntoConv: [PassCase] = [
    PassCase(
      FusePadIntoConv(),
      "strided",
      before: """
        func @main(%x: fp32[1, 2, 3, 4]) -> ("y" = %y) {
          %w = const {val = fp32[1, 2, 2, 2](0.5, -1.0, 2.0, 0.25, -0.5, 1.0, 1.5, -2.0)}
          %a = const {val = int32[4](0, 1, 2, 0)}
          %v = const {val = fp32[](0.0)}
          %p = pad(x = %x, pad = %a, constant_val = %v)
          %y = conv(x = %p, weight = %w) {strides = [2, 2]}
        }
        """,
      after: """
        func @main(%x: fp32[1, 2, 3, 4]) -> ("y" = %y) {
          %w = const {val = fp32[1, 2, 2, 2](0.5, -1.0, 2.0, 0.25, -0.5, 1.0, 1.5, -2.0)} : fp32[1, 2, 2, 2]
          %y = conv(x = %x, weight = %w) {strides = [2, 2], pad = [0, 1, 2, 0]} : fp32[1, 1, 2, 3]
        }
        """
    ),
    PassCase(
      FusePadIntoConv(),
      "added",
      before: """
        func @main(%x: fp32[1, 2, 3, 4]) -> ("y" = %y) {
          %w = const {val = fp32[1, 2, 2, 2](0.5, -1.0, 2.0, 0.25, -0.5, 1.0, 1.5, -2.0)}
          %a = const {val = int32[8](0, 0, 0, 0, 1, 1, 1, 1)}
          %v = const {val = fp32[](0.0)}
          %p = pad(x = %x, pad = %a, constant_val = %v)
          %y = conv(x = %p, weight = %w) {pad = [1, 0, 0, 2]}
        }
        """,
      after: """
        func @main(%x: fp32[1, 2, 3, 4]) -> ("y" = %y) {
          %w = const {val = fp32[1, 2, 2, 2](0.5, -1.0, 2.0, 0.25, -0.5, 1.0, 1.5, -2.0)} : fp32[1, 2, 2, 2]
          %y = conv(x = %x, weight = %w) {pad = [2, 1, 1, 3]} : fp32[1, 1, 5, 7]
        }
        """
    ),
    PassCase(
      FusePadIntoConv(),
      "channels",
      before: """
        func @main(%x: fp32[1, 1, 3, 4]) -> ("y" = %y) {
          %w = const {val = fp32[1, 2, 2, 2](0.5, -1.0, 2.0, 0.25, -0.5, 1.0, 1.5, -2.0)}
          %a = const {val = int32[8](0, 0, 0, 1, 0, 0, 0, 0)}
          %v = const {val = fp32[](0.0)}
          %p = pad(x = %x, pad = %a, constant_val = %v)
          %y = conv(x = %p, weight = %w)
        }
        """,
      after: nil
    ),
    PassCase(
      FusePadIntoConv(),
      "ones",
      before: """
        func @main(%x: fp32[1, 2, 3, 4]) -> ("y" = %y) {
          %w = const {val = fp32[1, 2, 2, 2](0.5, -1.0, 2.0, 0.25, -0.5, 1.0, 1.5, -2.0)}
          %a = const {val = int32[4](0, 1, 2, 0)}
          %v = const {val = fp32[](1.0)}
          %p = pad(x = %x, pad = %a, constant_val = %v)
          %y = conv(x = %p, weight = %w)
        }
        """,
      after: nil
    ),
    PassCase(
      FusePadIntoConv(),
      "taken-away",
      before: """
        func @main(%x: fp32[1, 2, 3, 4]) -> ("y" = %y) {
          %w = const {val = fp32[1, 2, 2, 2](0.5, -1.0, 2.0, 0.25, -0.5, 1.0, 1.5, -2.0)}
          %a = const {val = int32[4](0, -1, 0, 0)}
          %v = const {val = fp32[](0.0)}
          %p = pad(x = %x, pad = %a, constant_val = %v)
          %y = conv(x = %p, weight = %w)
        }
        """,
      after: nil
    ),
    PassCase(
      FusePadIntoConv(),
      "same",
      before: """
        func @main(%x: fp32[1, 2, 3, 4]) -> ("y" = %y) {
          %w = const {val = fp32[1, 2, 2, 2](0.5, -1.0, 2.0, 0.25, -0.5, 1.0, 1.5, -2.0)}
          %a = const {val = int32[4](0, 1, 2, 0)}
          %v = const {val = fp32[](0.0)}
          %p = pad(x = %x, pad = %a, constant_val = %v)
          %y = conv(x = %p, weight = %w) {pad_type = "same"}
        }
        """,
      after: nil
    ),
    PassCase(
      FusePadIntoConv(),
      "infinite-weight",
      before: """
        func @main(%x: fp32[1, 1, 3, 4]) -> ("y" = %y) {
          %w = const {val = fp32[1, 1, 2, 2](0.5, -1.0, inf, 0.25)}
          %a = const {val = int32[4](1, 1, 1, 1)}
          %v = const {val = fp32[](0.0)}
          %p = pad(x = %x, pad = %a, constant_val = %v)
          %y = conv(x = %p, weight = %w)
        }
        """,
      after: nil
    ),
    PassCase(
      FusePadIntoConv(),
      "run-time-weight",
      before: """
        func @main(%x: fp32[1, 1, 3, 4], %w: fp32[1, 1, 2, 2]) -> ("y" = %y) {
          %a = const {val = int32[4](1, 1, 1, 1)}
          %p = pad(x = %x, pad = %a)
          %y = conv(x = %p, weight = %w)
        }
        """,
      after: nil
    ),
    PassCase(
      FusePadIntoConv(),
      "compressed-weight",
      before: """
        func @main(%x: fp32[1, 1, 3, 4]) -> ("y" = %y) {
          %d = const {val = int8[1, 1, 2, 2](3, -4, 5, 6)}
          %s = const {val = fp32[1, 1, 1, 1](0.5)}
          %w = constexpr_blockwise_shift_scale(data = %d, scale = %s)
          %a = const {val = int32[4](1, 1, 1, 1)}
          %p = pad(x = %x, pad = %a)
          %y = conv(x = %p, weight = %w)
        }
        """,
      after: """
        func @main(%x: fp32[1, 1, 3, 4]) -> ("y" = %y) {
          %d = const {val = int8[1, 1, 2, 2](3, -4, 5, 6)} : int8[1, 1, 2, 2]
          %s = const {val = fp32[1, 1, 1, 1](0.5)} : fp32[1, 1, 1, 1]
          %w = constexpr_blockwise_shift_scale(data = %d, scale = %s) : fp32[1, 1, 2, 2]
          %y = conv(x = %x, weight = %w) {pad = [1, 1, 1, 1]} : fp32[1, 1, 4, 5]
        }
        """
    ),
    PassCase(
      FusePadIntoConv(),
      "two-readers",
      before: """
        func @main(%x: fp32[1, 2, n, 4]) -> ("y" = %y, "z" = %z) {
          %w = const {val = fp32[1, 2, 2, 2](0.5, -1.0, 2.0, 0.25, -0.5, 1.0, 1.5, -2.0)}
          %a = const {val = int32[4](1, 1, 1, 1)}
          %p = pad(x = %x, pad = %a)
          %y = conv(x = %p, weight = %w)
          %z = relu(x = %p)
        }
        """,
      after: """
        func @main(%x: fp32[1, 2, n, 4]) -> ("y" = %y, "z" = %z) {
          %w = const {val = fp32[1, 2, 2, 2](0.5, -1.0, 2.0, 0.25, -0.5, 1.0, 1.5, -2.0)} : fp32[1, 2, 2, 2]
          %a = const {val = int32[4](1, 1, 1, 1)} : int32[4]
          %p = pad(x = %x, pad = %a) : fp32[1, 2, n + 2, 6]
          %y = conv(x = %x, weight = %w) {pad = [1, 1, 1, 1]} : fp32[1, 1, n + 1, 5]
          %z = relu(x = %p) : fp32[1, 2, n + 2, 6]
        }
        """,
      sizes: ["n": 3]
    ),
  ]
}
