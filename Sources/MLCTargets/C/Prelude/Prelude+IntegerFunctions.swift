extension Prelude {
  /// Integer arithmetic that never traps, for types of 8 to 64 bits.
  static let integerFunctions = [8, 16, 32, 64].flatMap { [signed(bits: $0), unsigned(bits: $0), extremes(bits: $0)] }
    .joined(separator: "\n")

  private static func signed(bits: Int) -> String {
    let (t, type, word) = ("i\(bits)", "int\(bits)_t", "uint\(bits)_t")
    return """
      FN \(type) mlc_div_\(t)(\(type) a, \(type) b, int64_t *fault) {
        if (b == 0) { mlc_fault_set(fault, MLC_FAULT_DIVISION); return 0; }
        return b == -1 ? (\(type))(0 - (\(word))a) : (\(type))(a / b);
      }
      FN \(type) mlc_fmod_\(t)(\(type) a, \(type) b, int64_t *fault) {
        if (b == 0) { mlc_fault_set(fault, MLC_FAULT_DIVISION); return 0; }
        return b == -1 ? 0 : (\(type))(a % b);
      }
      FN \(type) mlc_mod_\(t)(\(type) a, \(type) b, int64_t *fault) {
        \(type) r = mlc_fmod_\(t)(a, b, fault);
        return r != 0 && (r < 0) != (b < 0) ? (\(type))(r + b) : r;
      }
      FN \(type) mlc_abs_\(t)(\(type) a) { return a < 0 ? (\(type))(0 - (\(word))a) : a; }
      FN \(type) mlc_sign_\(t)(\(type) a) { return (\(type))((a > 0) - (a < 0)); }
      FN \(type) mlc_pow_\(t)(\(type) a, \(type) b) {
        if (b < 0) return a == 1 ? 1 : a == -1 ? ((\(word))b & 1 ? -1 : 1) : 0;
        \(word) r = 1, x = (\(word))a;
        for (\(word) e = (\(word))b; e; e >>= 1) {
          if (e & 1) r = (\(word))(r * (uint64_t)x);
          x = (\(word))(x * (uint64_t)x);
        }
        return (\(type))r;
      }
      FN \(type) mlc_shl_\(t)(\(type) a, \(type) b) {
        return (\(word))b < \(bits) ? (\(type))((\(word))a << b) : 0;
      }
      FN \(type) mlc_shr_\(t)(\(type) a, \(type) b) {
        return (\(type))((\(word))b < \(bits) ? a >> b : a < 0 ? -1 : 0);
      }
      """
  }

  private static func unsigned(bits: Int) -> String {
    let (t, type) = ("u\(bits)", "uint\(bits)_t")
    return """
      FN \(type) mlc_div_\(t)(\(type) a, \(type) b, int64_t *fault) {
        if (b == 0) { mlc_fault_set(fault, MLC_FAULT_DIVISION); return 0; }
        return (\(type))(a / b);
      }
      FN \(type) mlc_mod_\(t)(\(type) a, \(type) b, int64_t *fault) {
        if (b == 0) { mlc_fault_set(fault, MLC_FAULT_DIVISION); return 0; }
        return (\(type))(a % b);
      }
      FN \(type) mlc_fmod_\(t)(\(type) a, \(type) b, int64_t *fault) { return mlc_mod_\(t)(a, b, fault); }
      FN \(type) mlc_abs_\(t)(\(type) a) { return a; }
      FN \(type) mlc_sign_\(t)(\(type) a) { return a != 0; }
      FN \(type) mlc_pow_\(t)(\(type) a, \(type) b) {
        \(type) r = 1;
        for (; b; b >>= 1) {
          if (b & 1) r = (\(type))(r * (uint64_t)a);
          a = (\(type))(a * (uint64_t)a);
        }
        return r;
      }
      FN \(type) mlc_shl_\(t)(\(type) a, \(type) b) { return b < \(bits) ? (\(type))((uint64_t)a << b) : 0; }
      FN \(type) mlc_shr_\(t)(\(type) a, \(type) b) { return b < \(bits) ? (\(type))(a >> b) : 0; }
      """
  }

  private static func extremes(bits: Int) -> String {
    [("i\(bits)", "int\(bits)_t"), ("u\(bits)", "uint\(bits)_t")].map { t, type in
      """
      FN \(type) mlc_max_\(t)_(\(type) a, \(type) b) { return a > b ? a : b; }
      FN \(type) mlc_min_\(t)_(\(type) a, \(type) b) { return a < b ? a : b; }
      """
    }.joined(separator: "\n")
  }
}
