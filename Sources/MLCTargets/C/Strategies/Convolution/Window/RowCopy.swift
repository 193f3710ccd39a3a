import MLCCore
import MLCKernels

/// The C that copies elements of a plain tensor into scratch as float32.
struct RowCopy {
  let dtype: DType
  let lanes: Int
  /// How far apart the elements are.
  let step: Int

  /// From `q` on to `begin ..< end` of `d`. Vectors may write past `end`; they read nothing from `stop` on.
  var code: CCode {
    let element = StoredElement(dtype)
    let single = "for (int64_t i = begin; i < end; i++, q += \(step)) d[i] = \(element.read("*q"));"
    guard step <= 2 else { return CCode(single) }
    let even = (0..<lanes).map { "\(2 * $0)" }.joined(separator: ", ")
    let pair = "__builtin_shufflevector(\(element.load("q")), \(element.load("q + VL")), \(even))"
    return """
      if (stop - q >= \(step) * (end - begin + VL))
        for (int64_t i = begin; i < end; i += VL, q += \(step) * VL) ST(d + i, \(step == 1 ? element.load("q") : pair));
      else \(single)
      """
  }
}
