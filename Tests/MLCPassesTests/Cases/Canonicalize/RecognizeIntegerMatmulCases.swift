import MLCPasses

extension PassCase {
  static let recognizeIntegerMatmul: [PassCase] = [
    PassCase(
      RecognizeIntegerMatmul(),
      "scales-of-columns",
      before: """
        func @main(%q: int8[2, 4]) -> ("y" = %y) {
          %s = const {val = fp32[](0.5)}
          %c = cast(x = %q) {dtype = fp32}
          %x = mul(x = %c, y = %s)
          %k = const {val = int8[4, 2](1, -2, 127, 4, 5, 6, 7, 8)}
          %t = const {val = fp32[1, 2](0.25, 2.0)}
          %w = constexpr_blockwise_shift_scale(data = %k, scale = %t)
          %y = matmul(x = %x, y = %w)
        }
        """,
      after: """
        func @main(%q: int8[2, 4]) -> ("y" = %y) {
          %zero_point = const {val = int8[](0)} : int8[]
          %weight = const {val = int8[2, 4](1, 127, 5, 7, -2, 4, 6, 8)} : int8[2, 4]
          %matmul_integer = matmul_integer(x = %q, weight = %weight, x_zero_point = %zero_point) : int32[2, 2]
          %cast = cast(x = %matmul_integer) : fp32[2, 2]
          %scale = const {val = fp32[2](0.125, 1.0)} : fp32[2]
          %y = mul(x = %cast, y = %scale) : fp32[2, 2]
        }
        """
    ),
    PassCase(
      RecognizeIntegerMatmul(),
      "run-time-zero-point",
      before: """
        func @main(%q: uint8[2, 4], %z: uint8[]) -> ("y" = %y) {
          %c = cast(x = %q) {dtype = int32}
          %d = cast(x = %z) {dtype = int32}
          %x = sub(x = %c, y = %d)
          %w = const {val = int32[4, 2](1, -2, 127, 4, 5, 6, 7, 8)}
          %y = matmul(x = %x, y = %w)
        }
        """,
      after: """
        func @main(%q: uint8[2, 4], %z: uint8[]) -> ("y" = %y) {
          %weight = const {val = int8[2, 4](1, 127, 5, 7, -2, 4, 6, 8)} : int8[2, 4]
          %y = matmul_integer(x = %q, weight = %weight, x_zero_point = %z) : int32[2, 2]
        }
        """
    ),
    // Words hold four steps.
    PassCase(
      RecognizeIntegerMatmul(),
      "odd-depth",
      before: """
        func @main(%q: uint8[2, 3]) -> ("y" = %y) {
          %x = cast(x = %q) {dtype = int32}
          %w = const {val = int32[3, 1](1, -2, 127)}
          %y = matmul(x = %x, y = %w)
        }
        """,
      after: nil
    ),
  ]
}
