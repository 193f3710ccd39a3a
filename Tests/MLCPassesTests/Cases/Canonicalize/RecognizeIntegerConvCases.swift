import MLCPasses

extension PassCase {
  static let recognizeIntegerConv: [PassCase] = [
    PassCase(
      RecognizeIntegerConv(),
      "scales-of-channels",
      before: """
        func @main(%q: uint8[1, 2, 3, 3]) -> ("y" = %y) {
          %z = const {val = fp32[](3.0)}
          %s = const {val = fp32[](0.5)}
          %c = cast(x = %q) {dtype = fp32}
          %d = sub(x = %c, y = %z)
          %x = mul(x = %d, y = %s)
          %k = const {val = int8[2, 2, 1, 1](1, -2, 127, 4)}
          %t = const {val = fp32[2, 1, 1, 1](0.25, 2.0)}
          %w = constexpr_blockwise_shift_scale(data = %k, scale = %t)
          %b = const {val = fp32[2](1.0, -1.0)}
          %y = conv(x = %x, weight = %w, bias = %b)
        }
        """,
      after: """
        func @main(%q: uint8[1, 2, 3, 3]) -> ("y" = %y) {
          %zero_point = const {val = uint8[](3)} : uint8[]
          %weight = const {val = int8[2, 2, 1, 1](1, -2, 127, 4)} : int8[2, 2, 1, 1]
          %conv_integer = conv_integer(x = %q, weight = %weight, x_zero_point = %zero_point) : int32[1, 2, 3, 3]
          %cast = cast(x = %conv_integer) : fp32[1, 2, 3, 3]
          %scale = const {val = fp32[2, 1, 1](0.125, 1.0)} : fp32[2, 1, 1]
          %mul = mul(x = %cast, y = %scale) : fp32[1, 2, 3, 3]
          %bias = const {val = fp32[2, 1, 1](1.0, -1.0)} : fp32[2, 1, 1]
          %y = add(x = %mul, y = %bias) : fp32[1, 2, 3, 3]
        }
        """
    ),
    PassCase(
      RecognizeIntegerConv(),
      "sums",
      before: """
        func @main(%q: int8[1, 2, 3]) -> ("y" = %y) {
          %x = cast(x = %q) {dtype = fp32}
          %w = const {val = fp32[1, 2, 2](1.0, -2.0, 5.0, 4.0)}
          %s = conv(x = %x, weight = %w)
          %y = cast(x = %s) {dtype = int32}
        }
        """,
      after: """
        func @main(%q: int8[1, 2, 3]) -> ("y" = %conv_integer) {
          %zero_point = const {val = int8[](0)} : int8[]
          %weight = const {val = int8[1, 2, 2](1, -2, 5, 4)} : int8[1, 2, 2]
          %conv_integer = conv_integer(x = %q, weight = %weight, x_zero_point = %zero_point) : int32[1, 1, 2]
        }
        """
    ),
    // −129 is no int8; a zero point of 256 is no uint8.
    PassCase(
      RecognizeIntegerConv(),
      "out-of-range",
      before: """
        func @main(%q: uint8[1, 1, 2]) -> ("y" = %y, "u" = %u) {
          %x = cast(x = %q) {dtype = fp32}
          %w = const {val = fp32[1, 1, 1](-129.0)}
          %y = conv(x = %x, weight = %w)
          %z = const {val = fp32[](256.0)}
          %d = sub(x = %x, y = %z)
          %v = const {val = fp32[1, 1, 1](1.0)}
          %u = conv(x = %d, weight = %v)
        }
        """,
      after: nil
    ),
  ]
}
