import MLCCore
import MLCKernels

/// A float between two whole numbers that are bytes.
struct ClampedScalar {
  /// What is clamped, less `shift`, and rounded to a whole number where it `isRounded`.
  var value: Scalar, isRounded: Bool
  /// Added after rounding, a whole number.
  var shift: Double
  var low: Double, high: Double
}

extension ScalarSpeller {
  /// `x` as a value clamped to numbers of `t`, 8-bit integers; `nil` where it is none, as `clip` spells it.
  static func clamped(_ x: Scalar, to t: DType) -> ClampedScalar? {
    guard case .binary(.min, .binary(.max, let value, .constant(let low, _)), .constant(let high, _)) = x,
      low == low.rounded(), high == high.rounded(), t.isSigned ? low >= -128 && high <= 127 : low >= 0 && high <= 255,
      low <= high
    else { return nil }
    switch value {
    case .unary(.round, let inner):
      return ClampedScalar(value: inner, isRounded: true, shift: 0, low: low, high: high)
    case .binary(.add, .unary(.round, let inner), .constant(let shift, _)) where isSmall(shift):
      return ClampedScalar(value: inner, isRounded: true, shift: shift, low: low, high: high)
    default: return ClampedScalar(value: value, isRounded: false, shift: 0, low: low, high: high)
    }
  }

  private static func isSmall(_ shift: Double) -> Bool { shift == shift.rounded() && abs(shift) <= 255 }

  /// The lanes of such a value as bytes; of NaN 0.
  ///
  /// Bounds are whole, so that rounding may come after them: one conversion rounds to nearest even.
  func quantized(_ x: ClampedScalar, _ mode: Mode) -> String {
    let name = x.isRounded ? isNumber(x.value) ? "mlc_rounded_number_v" : "mlc_rounded_v" : "mlc_truncated_v"
    return "\(name)(\(spell(x.value, mode)), \(bounds(x)), \(Int(x.shift)))"
  }

  /// What rounds floats to bytes and takes the zero point off again: `s` as the clamped value, where it is that.
  func requantized(_ s: Scalar) -> ClampedScalar? {
    func bytes(_ s: Scalar, shift: Double) -> ClampedScalar? {
      guard case .cast(.cast(let x, let t), .float32) = s, t == .int8 || t == .uint8, dtype(x) == .float32,
        let range = Self.clamped(x, to: t), range.isRounded, range.shift == shift, isNumber(range.value)
      else { return nil }
      return range
    }
    switch s {
    case .binary(.sub, let x, .constant(let zero, _)): return bytes(x, shift: zero)
    case .binary(.add, let x, .constant(let zero, _)): return bytes(x, shift: -zero)
    default: return bytes(s, shift: 0)
    }
  }

  /// The lanes of such a value less its shift, floats.
  func rounded(_ x: ClampedScalar, _ mode: Mode) -> String { "mlc_steps_v(\(spell(x.value, mode)), \(bounds(x)))" }

  private func bounds(_ x: ClampedScalar) -> String {
    [x.low - x.shift, x.high - x.shift].map { Self.literal($0, .float32) }.joined(separator: ", ")
  }

  /// Whether `s`, a float, is known not to be NaN: it is made of integers and finite constants, and cannot overflow.
  private func isNumber(_ s: Scalar) -> Bool { largest(s).map { $0 < 1e38 } ?? false }

  /// A bound of |s|; `nil` for what may be anything.
  private func largest(_ s: Scalar) -> Double? {
    func both(_ x: Scalar, _ y: Scalar, _ join: (Double, Double) -> Double) -> Double? {
      largest(x).flatMap { a in largest(y).map { join(a, $0) } }
    }
    switch s {
    case .constant(let x, _): return x.isFinite ? abs(x) : nil
    case .integer(let x, _): return Double(x.magnitude)
    case .load(let p, _): return params[p].largestElement
    case .stage(let k): return stageBounds.indices.contains(k) ? stageBounds[k] : nil
    case .accumulator: return accumulatorType == .int32 ? 0x1p31 : nil
    case .cast(let x, let t): return t == .float32 || t.isInteger ? largest(x) : nil
    case .unary(.neg, let x), .unary(.abs, let x): return largest(x)
    case .unary(.round, let x): return largest(x).map { $0 + 1 }
    case .binary(.add, let x, let y), .binary(.sub, let x, let y): return both(x, y, +)
    case .binary(.mul, let x, let y): return both(x, y, *)
    case .binary(.max, let x, let y), .binary(.min, let x, let y): return both(x, y, Swift.max)
    default: return nil
    }
  }
}

extension KernelTensor {
  /// A bound of the magnitudes of its elements; `nil` for floats that are not known, and for long constants.
  var largestElement: Double? {
    if dtype.isInteger { return dtype.bitWidth <= 32 ? Double(1 << dtype.bitWidth) : nil }
    guard case .constant(let value) = kind, value.count <= 1 << 16 else { return nil }
    let numbers = value.doubles
    return numbers.allSatisfy(\.isFinite) ? numbers.reduce(0) { Swift.max($0, abs($1)) } : nil
  }
}
