import MLCCore

/// Elements as unsigned numbers of the same order: -0 equals 0, and NaN is above every number.
struct OrderedKey {
  let dtype: DType
  /// Whether the greatest element has the least key.
  let isFalling: Bool

  /// Bits of a key.
  var bits: Int { dtype.cType == "double" || dtype.cType.hasSuffix("int64_t") ? 64 : 32 }
  var type: String { "uint\(bits)_t" }

  /// `uintB_t NAME(C_TYPE x)`.
  func function(_ name: String) -> CCode {
    let sign = "(\(type))1 << \(bits - 1)"
    let turned = isFalling ? "~" : ""
    if !dtype.isFloat {
      let flip = dtype.isSigned ? " ^ (\(sign))" : ""
      return "FN \(type) \(name)(\(dtype.cType) x) { return \(turned)((\(type))x\(flip)); }"
    }
    return """
      FN \(type) \(name)(\(dtype.cType) x) {
        const \(dtype.cType) plus = x == 0 ? 0 : x;
        \(type) b;
        __builtin_memcpy(&b, &plus, sizeof b);
        b ^= (\(type))-(b >> \(bits - 1)) | \(sign);
        return \(turned)(x == x ? b : ~(\(type))0);
      }
      """
  }
}
