import MLCPasses

extension PassCase {
  static let invertQuantizationScale: [PassCase] = [
    PassCase(
      InvertQuantizationScale(),
      "of-bytes",
      before: """
        func @main(%q: uint8[4], %r: uint8[4]) -> ("y" = %y) {
          %s = const {val = fp32[](0.375)}
          %t = const {val = fp32[](4.0)}
          %a = cast(x = %q) {dtype = fp32}
          %b = cast(x = %r) {dtype = fp32}
          %c = mul(x = %a, y = %s)
          %d = add(x = %c, y = %b)
          %e = real_div(x = %d, y = %t)
          %f = round(x = %e)
          %y = cast(x = %f) {dtype = uint8}
        }
        """,
      after: """
        func @main(%q: uint8[4], %r: uint8[4]) -> ("y" = %y) {
          %s = const {val = fp32[](0.375)} : fp32[]
          %a = cast(x = %q) : fp32[4]
          %b = cast(x = %r) : fp32[4]
          %c = mul(x = %a, y = %s) : fp32[4]
          %d = add(x = %c, y = %b) : fp32[4]
          %inverse_scale = const {val = fp32[](0.25)} : fp32[]
          %e = mul(x = %d, y = %inverse_scale) : fp32[4]
          %f = round(x = %e) : fp32[4]
          %y = cast(x = %f) {dtype = uint8} : uint8[4]
        }
        """
    ),
    PassCase(
      InvertQuantizationScale(),
      "into-constants",
      before: """
        func @main(%q: uint8[4]) -> ("y" = %y) {
          %s = const {val = fp32[](0.5)}
          %k = const {val = fp32[](1.0)}
          %t = const {val = fp32[](4.0)}
          %a = cast(x = %q) {dtype = fp32}
          %b = mul(x = %a, y = %s)
          %c = add(x = %b, y = %k)
          %d = relu(x = %c)
          %e = real_div(x = %d, y = %t)
          %y = round(x = %e)
        }
        """,
      after: """
        func @main(%q: uint8[4]) -> ("y" = %y) {
          %a = cast(x = %q) : fp32[4]
          %scaled = const {val = fp32[](0.125)} : fp32[]
          %mul = mul(x = %a, y = %scaled) : fp32[4]
          %scaled_12 = const {val = fp32[](0.25)} : fp32[]
          %add = add(x = %mul, y = %scaled_12) : fp32[4]
          %e = relu(x = %add) : fp32[4]
          %y = round(x = %e) : fp32[4]
        }
        """
    ),
    // Of floats the quotient decides ties.
    PassCase(
      InvertQuantizationScale(),
      "of-floats",
      before: """
        func @main(%x: fp32[4]) -> ("y" = %y) {
          %t = const {val = fp32[](4.0)}
          %e = real_div(x = %x, y = %t)
          %y = round(x = %e)
        }
        """,
      after: nil
    ),
  ]
}
