import MLCCore

extension Prelude {
  /// Floats of at most eight bits, of one number and of a vector: `mlc_decode_FORMAT_*` makes float32 of a code in the
  /// low bits, exactly; `mlc_encode_FORMAT_*` is the code of the nearest number, as `FloatFormat` has it. Both are
  /// integer arithmetic without branches.
  static func smallFloats(vector: Bool) -> String {
    DType.allCases.compactMap(\.smallFloat).map { format in
      let template = format.isSigned ? Prelude.signed(format) : Prelude.powers(format)
      return instantiate(template, vector: vector)
    }.joined(separator: "\n")
  }

  /// One element from and to memory, and rounded in place; doubles round to odd in float32 first, so that rounding
  /// again is rounding once.
  static let smallFloatElements = DType.allCases.compactMap(\.smallFloat?.name).map { name in
    """
    FN float mlc_f32_\(name)(uint8_t code) { return mlc_decode_\(name)_f32(code); }
    FN uint8_t mlc_\(name)_f32(float x) { return (uint8_t)mlc_encode_\(name)_f32(x); }
    FN uint8_t mlc_\(name)_f64(double x) { return mlc_\(name)_f32(mlc_odd_f32(x)); }
    FN float mlc_round_\(name)_f32(float x) { return mlc_decode_\(name)_f32(mlc_encode_\(name)_f32(x)); }
    FN V mlc_round_\(name)_v(V x) { return mlc_decode_\(name)_v(mlc_encode_\(name)_v(x)); }
    """
  }.joined(separator: "\n")

  /// With a sign: the bits of a float32 of the same exponent, scaled by the difference of the biases.
  private static func signed(_ format: FloatFormat) -> String {
    let (shift, bits) = (23 - format.mantissaBits, format.magnitudeBits)
    let least = 127 + 1 - format.bias
    let magic = (least + shift) << 23
    // What is beyond the numbers: infinity and NaN, or the sign alone.
    let special =
      format.hasNegativeZero
      ? "(\(format.largest) - m) >> 31 & \(format.infinity == nil ? "0x7fc00000" : "0x7f800000")"
      : "(m - 1) >> 31 & s & 0x7fc00000"
    let sign = format.hasNegativeZero ? "s" : "s & ~((r - 1) >> 31)"
    return """
      FN @F mlc_decode_\(format.name)_@_(@I code) {
        const @I m = code & \(format.signBit - 1), s = -(code >> \(bits) & 1);
        const @F x = mlc_from_bits_@_(m << \(shift)) * 0x1p\(127 - format.bias)f;
        return mlc_from_bits_@_(mlc_bits_@_(x) | (\(special)) | (s & INT32_MIN));
      }
      FN @I mlc_encode_\(format.name)_@_(@F x) {
        const @I u = mlc_bits_@_(x), a = u & INT32_MAX, s = u >> 31 & \(format.signBit);
        const @I even = a >> \(shift) & 1, near = a - \((127 - format.bias) << 23) + \((1 << (shift - 1)) - 1) + even;
        const @I tiny = mlc_bits_@_(mlc_from_bits_@_(a) + @(0x1p\(magic >> 23 - 127)f)) - \(magic);
        @I r = mlc_selecti_@_((a - \(least << 23)) >> 31, tiny, near >> \(shift));
        r = mlc_selecti_@_((\(format.largest) - r) >> 31, (r & 0) + \(format.overflow), r);
        r = mlc_selecti_@_((0x7f800000 - a) >> 31, (r & 0) + \(format.nan ?? format.signBit), r);
        return r | (\(sign));
      }
      """
  }

  /// Without a mantissa: the exponent of a float32, which has no bit of its own for the least one.
  private static func powers(_ format: FloatFormat) -> String {
    """
    FN @F mlc_decode_\(format.name)_@_(@I code) {
      return mlc_from_bits_@_((code << 23) | (((code - 1) >> 31 | (\(format.largest) - code) >> 31) & 0x400000));
    }
    FN @I mlc_encode_\(format.name)_@_(@F x) {
      const @I u = mlc_bits_@_(x), a = u & INT32_MAX, half = 0x400000 - ((a - 0x800000) >> 31 & 0x200000);
      const @I outside = (a - 0x400000) >> 31 | (0x7f000000 - a) >> 31 | u >> 31;
      return (outside & \(format.nan!)) | (~outside & (mlc_selecti_@_(outside, a & 0, a) + half) >> 23);
    }
    """
  }
}
