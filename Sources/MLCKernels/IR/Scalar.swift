import MLCCore

/// The arithmetic a target must spell: expressions of one element. Operators never reach a target; these do.
///
/// Types: a load has its parameter's element type, except that floats of at most 16 bits are widened to float32 as they
/// are read, and integers of fewer than 8 bits to bytes. A cast rounds or wraps to its type, and widens alike. Both
/// sides of a binary have the same type. Comparisons and logic give `bool`. Storing converts to the parameter's type,
/// rounding once. Integer arithmetic wraps; integer division truncates toward zero, and a zero divisor gives 0 and
/// `MLC_FAULT_DIVISION`.
package indirect enum Scalar: Hashable, Sendable {
  case constant(Double, DType)
  /// An exact integer.
  case integer(Int, DType)
  /// An element of the kernel's parameter `param`, one index a dimension.
  case load(param: Int, [Index])
  /// A loop position or size as a number.
  case index(Index, DType)
  case unary(Unary, Scalar)
  case binary(Binary, Scalar, Scalar)
  case compare(Comparison, Scalar, Scalar)
  /// Only the chosen side is evaluated, so that a condition can guard a load.
  case select(Scalar, Scalar, Scalar)
  case cast(Scalar, DType)
  /// The result of an earlier stage of the same loop nest.
  case stage(Int)
  /// The sum of products of a contraction, before its epilogue.
  case accumulator

  package enum Unary: String, Hashable, Sendable, CaseIterable {
    case neg, abs, sign, exp, exp2, expm1, log, log1p, sqrt, rsqrt, inverse, erf, tanh, sigmoid, floor, ceil, round,
      trunc
    case sin, cos, tan, asin, acos, atan, sinh, cosh, asinh, acosh, atanh
    case logicalNot, bitwiseNot, isNaN, isInf
  }
  package enum Binary: String, Hashable, Sendable, CaseIterable {
    /// `max` and `min` give NaN when either side is NaN. `mod` has the divisor's sign, `fmod` the dividend's.
    case add, sub, mul, div, max, min, pow, mod, fmod
    case logicalAnd, logicalOr, logicalXor, bitwiseAnd, bitwiseOr, bitwiseXor, shiftLeft, shiftRight
  }
  package enum Comparison: String, Hashable, Sendable, CaseIterable {
    case equal, notEqual, less, lessEqual, greater, greaterEqual
  }

  package static func + (a: Scalar, b: Scalar) -> Scalar { .binary(.add, a, b) }
  package static func - (a: Scalar, b: Scalar) -> Scalar { .binary(.sub, a, b) }
  package static func * (a: Scalar, b: Scalar) -> Scalar { .binary(.mul, a, b) }
  package static func / (a: Scalar, b: Scalar) -> Scalar { .binary(.div, a, b) }
}

extension Scalar {
  /// Rebuilds the expression bottom-up; `change` sees each node after its children were rebuilt.
  package func rewritten(_ change: (Scalar) -> Scalar) -> Scalar {
    switch self {
    case .constant, .integer, .stage, .accumulator: change(self)
    case .load(let p, let indices): change(.load(param: p, indices.map { $0.rewritingValues(change) }))
    case .index(let i, let t): change(.index(i.rewritingValues(change), t))
    case .unary(let f, let x): change(.unary(f, x.rewritten(change)))
    case .binary(let f, let x, let y): change(.binary(f, x.rewritten(change), y.rewritten(change)))
    case .compare(let f, let x, let y): change(.compare(f, x.rewritten(change), y.rewritten(change)))
    case .select(let c, let x, let y):
      change(.select(c.rewritten(change), x.rewritten(change), y.rewritten(change)))
    case .cast(let x, let t): change(.cast(x.rewritten(change), t))
    }
  }

  /// Calls `visit` on every node, children first, loads inside indices included.
  package func visitNodes(_ visit: (Scalar) -> Void) {
    _ = rewritten {
      visit($0)
      return $0
    }
  }

  /// Replaces axes in every index.
  package func substituting(_ axes: [Int: Index]) -> Scalar {
    switch self {
    case .constant, .integer, .stage, .accumulator: self
    case .load(let p, let indices): .load(param: p, indices.map { $0.substituting(axes) })
    case .index(let i, let t): .index(i.substituting(axes), t)
    case .unary(let f, let x): .unary(f, x.substituting(axes))
    case .binary(let f, let x, let y): .binary(f, x.substituting(axes), y.substituting(axes))
    case .compare(let f, let x, let y): .compare(f, x.substituting(axes), y.substituting(axes))
    case .select(let c, let x, let y): .select(c.substituting(axes), x.substituting(axes), y.substituting(axes))
    case .cast(let x, let t): .cast(x.substituting(axes), t)
    }
  }

  /// The element type of the value, given the element types of the parameters and earlier stages.
  package func dtype(params: [DType], stages: [DType], accumulator: DType = .float32) -> DType {
    func of(_ s: Scalar) -> DType { s.dtype(params: params, stages: stages, accumulator: accumulator) }
    switch self {
    case .constant(_, let t), .integer(_, let t), .index(_, let t), .cast(_, let t): return t.widened
    case .load(let p, _): return params[p].widened
    case .unary(.logicalNot, _), .unary(.isNaN, _), .unary(.isInf, _), .compare: return .bool
    case .unary(_, let x), .binary(_, let x, _): return of(x)
    case .select(_, let x, _): return of(x)
    case .stage(let k): return stages[k]
    case .accumulator: return accumulator
    }
  }
}

extension Index {
  fileprivate func rewritingValues(_ change: (Scalar) -> Scalar) -> Index {
    switch self {
    case .dim, .axis: self
    case .sum(let a, let b): a.rewritingValues(change) + b.rewritingValues(change)
    case .product(let a, let d): a.rewritingValues(change) * d
    case .floorDiv(let a, let d): a.rewritingValues(change).dividedFloor(by: d)
    case .mod(let a, let d): a.rewritingValues(change).modulo(d)
    case .value(let s): .value(s.rewritten(change))
    }
  }
}

extension DType {
  /// The type this is computed in: floats of at most 16 bits in float32, integers of fewer than 8 bits in bytes, others
  /// as they are.
  package var widened: DType { isFloat && bitWidth < 32 ? .float32 : byteWide }

  /// float32 and floats of 16 bits: what strategies of products read as vectors.
  package var isVectorFloat: Bool { widened == .float32 && bitWidth >= 16 }

  /// Other types whose products strategies sum up as they are.
  package var isWideFactor: Bool { [.float64, .int32, .int64].contains(self) }
}
