import MLCCore
import MLCKernels

extension ScalarSpeller {
  /// One element as a C expression whose type is the scalar's.
  package func spell(_ s: Scalar) -> String {
    switch s {
    case .constant(let x, let t): return Self.literal(x, t)
    case .integer(let x, let t): return t.isFloat ? Self.literal(Double(x), t) : Self.literal(x, t)
    case .load(let p, let indices): return load(p, indices)
    case .index(let i, let t): return "(\(t.cType))\(spell(i))"
    case .unary(let f, let x): return unary(f, x)
    case .binary(let f, let x, let y): return binary(f, x, y)
    case .compare(let f, let x, let y): return "(uint8_t)(\(spell(x)) \(f.cOperator) \(spell(y)))"
    case .select(let c, let x, let y): return "(\(spell(c)) ? \(spell(x)) : \(spell(y)))"
    case .cast(let x, let t): return cast(x, t)
    case .stage(let k): return stages[k]
    case .accumulator: return accumulator
    }
  }

  private func load(_ p: Int, _ indices: [Index]) -> String {
    let element = StoredElement(params[p].dtype).read("p\(p)", at: spell(address(p, indices)))
    let empty = possiblyEmpty(p, indices).map { "\(sizes.spell($0)) <= 0" }
    if empty.isEmpty { return element }
    let zero = Self.literal(0, params[p].dtype)
    return "(\(empty.joined(separator: " || ")) ? (mlc_fault_set(frame->fault, MLC_FAULT_INDEX), \(zero)) : \(element))"
  }

  private func unary(_ f: Scalar.Unary, _ x: Scalar) -> String {
    let t = dtype(x)
    let v = spell(x)
    switch f {
    case .neg: return t.isFloat ? "(-\(v))" : "(\(t.cType))(-\(v))"
    case .logicalNot: return "(uint8_t)!\(v)"
    case .bitwiseNot: return "(\(t.cType))(~\(v))"
    case .isNaN: return t.isFloat ? "(uint8_t)__builtin_isnan(\(v))" : "(uint8_t)0"
    case .isInf: return t.isFloat ? "(uint8_t)__builtin_isinf(\(v))" : "(uint8_t)0"
    case .rsqrt: return "(1/mlc_sqrt_\(t.cSuffix)(\(v)))"
    case .inverse: return "(1/\(v))"
    case .exp where isAtMostZero(x): return "mlc_exp_negative_f32(\(v))"
    case .floor, .ceil, .round, .trunc: return t.isFloat ? "mlc_\(f.rawValue)_\(t.cSuffix)(\(v))" : v
    default: return "mlc_\(f.rawValue)_\(t.cSuffix)(\(v))"
    }
  }

  private func binary(_ f: Scalar.Binary, _ x: Scalar, _ y: Scalar) -> String {
    let t = dtype(x)
    if f == .pow, t.isFloat, let short = Self.shortPower(x, y) { return spell(short) }
    let (a, b) = (spell(x), spell(y))
    func call(_ name: String, _ more: String = "") -> String { "mlc_\(name)_\(t.cSuffix)(\(a), \(b)\(more))" }
    func infix(_ op: String) -> String { t.isFloat ? "(\(a) \(op) \(b))" : "(\(t.cType))(\(a) \(op) \(b))" }
    switch f {
    case .add: return infix("+")
    case .sub: return infix("-")
    case .mul: return t == .uint16 ? "(uint16_t)((uint32_t)\(a) * \(b))" : infix("*")
    case .div: return t.isFloat ? infix("/") : call("div", ", frame->fault")
    case .mod, .fmod: return t.isFloat ? call(f.rawValue) : call(f.rawValue, ", frame->fault")
    case .max, .min:
      if t.isFloat { return call(f.rawValue) }
      return "mlc_\(f.rawValue)_\(t.cSuffix)_(\(a), \(b))"
    case .pow: return call("pow")
    case .logicalAnd: return "(uint8_t)(\(a) && \(b))"
    case .logicalOr: return "(uint8_t)(\(a) || \(b))"
    case .logicalXor: return "(uint8_t)(!\(a) != !\(b))"
    case .bitwiseAnd: return infix("&")
    case .bitwiseOr: return infix("|")
    case .bitwiseXor: return infix("^")
    case .shiftLeft: return call("shl")
    case .shiftRight: return call("shr")
    }
  }

  /// A power that multiplications and roots give exactly enough; `nil` when only `pow` does.
  static func shortPower(_ x: Scalar, _ y: Scalar) -> Scalar? {
    guard case .constant(let e, _) = y else { return nil }
    switch e {
    case 1: return x
    case 2: return x * x
    case 3: return x * x * x
    case -1: return .unary(.inverse, x)
    default: return nil
    }
  }

  private func cast(_ x: Scalar, _ t: DType) -> String {
    let from = dtype(x)
    let v = spell(x)
    if t == .bool { return from == .bool ? v : "(uint8_t)(\(v) != 0)" }
    let element = StoredElement(t)
    if let name = element.narrowFloat {
      if element.wideSuffix(from) == "f64" { return "mlc_f32_\(name)(mlc_\(name)_f64(\(v)))" }
      return "mlc_round_\(name)_f32((float)\(v))"
    }
    if from.isFloat, t.isInteger {
      let whole = "mlc_i64_\(from.cSuffix)(\(v))"
      return t.isPacked ? element.wrapped(whole) : "(\(t.cType))\(whole)"
    }
    if t.isPacked { return element.wrapped(v) }
    return from == t ? v : "(\(t.cType))\(v)"
  }

  /// A number of element type `t`, exact: the shortest decimal that reads back as the same bits.
  static func literal(_ x: Double, _ t: DType) -> String {
    switch t.widened {
    case .float32:
      let f = Float(x)
      if f.isNaN { return "__builtin_nanf(\"\")" }
      if f.isInfinite { return f < 0 ? "(-__builtin_inff())" : "__builtin_inff()" }
      return f.sign == .minus ? "(\(f)f)" : "\(f)f"
    case .float64:
      if x.isNaN { return "__builtin_nan(\"\")" }
      if x.isInfinite { return x < 0 ? "(-__builtin_inf())" : "__builtin_inf()" }
      return x.sign == .minus ? "(\(x))" : "\(x)"
    case .bool: return x == 0 ? "(uint8_t)0" : "(uint8_t)1"
    default: return literal(Tensor.wrapping(x), t)
    }
  }

  static func literal(_ x: Int, _ t: DType) -> String {
    switch t {
    case .bool: return x == 0 ? "(uint8_t)0" : "(uint8_t)1"
    case .int64: return x == Int.min ? "INT64_MIN" : "INT64_C(\(x))"
    case .uint64: return "UINT64_C(\(UInt64(bitPattern: Int64(x))))"
    case .int32: return Int32(truncatingIfNeeded: x) == Int32.min ? "INT32_MIN" : "(\(Int32(truncatingIfNeeded: x)))"
    case .uint32: return "\(UInt32(truncatingIfNeeded: x))u"
    default: return "(\(t.cType))(\(x))"
    }
  }
}

extension Scalar.Comparison {
  var cOperator: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessEqual: "<="
    case .greater: ">"
    case .greaterEqual: ">="
    }
  }
}
