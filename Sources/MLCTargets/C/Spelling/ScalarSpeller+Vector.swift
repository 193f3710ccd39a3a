import MLCCore
import MLCKernels

// Vector mode. A value of lanes is a `V` for float32, a `VI` for int32, and a `VI` of 0 and −1 for bool.

extension ScalarSpeller {
  /// The lanes of `mode` as a C expression; in scalar mode, the one element.
  package func spell(_ s: Scalar, _ mode: Mode) -> String {
    guard case .vector(let axis, let part) = mode else { return spell(s) }
    if isUniform(s, axis) { return splat(s) }
    switch s {
    case .constant, .integer: return splat(s)
    case .load(let p, let indices):
      return StoredElement(params[p].dtype).load("p\(p) + \(spell(address(p, indices)))", part: part)
    case .index(let i, let t): return vectorIndex(i, t, axis)
    case .unary(let f, let x): return vectorUnary(f, x, mode)
    case .binary(let f, let x, let y): return vectorBinary(f, x, y, mode)
    case .compare(let f, let x, let y): return "(\(spell(x, mode)) \(f.cOperator) \(spell(y, mode)))"
    case .select(let c, let x, let y):
      if isUniform(c, axis) { return "(\(spell(c)) ? \(spell(x, mode)) : \(spell(y, mode)))" }
      let name = dtype(x) == .float32 ? "mlc_select_v" : "mlc_selecti_v"
      return "\(name)(\(spell(c, mode)), \(spell(x, mode)), \(spell(y, mode)))"
    case .cast(let x, let t): return vectorCast(x, t, mode)
    case .stage(let k): return stages[k]
    case .accumulator: return accumulator
    }
  }

  /// Whether all lanes along `axis` are equal.
  package func isUniform(_ s: Scalar, _ axis: Int) -> Bool {
    let lane = laneAxis(axis)
    switch s {
    case .constant, .integer: return true
    case .load(let p, let indices): return !address(p, indices).mentions(lane)
    case .index(let i, _): return !space.linear(i.substituting(substitutions)).mentions(lane)
    case .unary(_, let x), .cast(let x, _): return isUniform(x, axis)
    case .binary(_, let x, let y), .compare(_, let x, let y): return isUniform(x, axis) && isUniform(y, axis)
    case .select(let c, let x, let y): return isUniform(c, axis) && isUniform(x, axis) && isUniform(y, axis)
    case .stage: return !stagesAreVectors
    case .accumulator: return false
    }
  }

  private func splat(_ s: Scalar) -> String {
    switch dtype(s) {
    case .float32: "SPLAT(\(spell(s)))"
    case .bool: "SPLATI(-\(spell(s)))"
    default: "SPLATI(\(spell(s)))"
    }
  }

  private func vectorIndex(_ i: Index, _ t: DType, _ axis: Int) -> String {
    let x = space.linear(i.substituting(substitutions))
    let step = x.coefficient(of: laneAxis(axis))?.constant ?? 1
    let lanes = "(SPLATI(\(spell(x))) + mlc_iota() * \(step))"
    return t == .float32 ? "__builtin_convertvector(\(lanes), V)" : lanes
  }

  private func vectorUnary(_ f: Scalar.Unary, _ x: Scalar, _ mode: Mode) -> String {
    let v = spell(x, mode)
    switch f {
    case .neg: return "(-\(v))"
    case .logicalNot, .bitwiseNot: return "(~\(v))"
    case .abs where dtype(x) == .int32: return "mlc_absi_v(\(v))"
    case .isNaN: return "mlc_ne_v(\(v), \(v))"
    case .isInf: return "mlc_eq_v(mlc_abs_v(\(v)), SPLAT(__builtin_inff()))"
    case .rsqrt: return "(1.0f/mlc_sqrt_v(\(v)))"
    case .inverse: return "(1.0f/\(v))"
    default: return "mlc_\(f.rawValue)_v(\(v))"
    }
  }

  private func vectorBinary(_ f: Scalar.Binary, _ x: Scalar, _ y: Scalar, _ mode: Mode) -> String {
    if f == .pow, let short = Self.shortPower(x, y) { return spell(short, mode) }
    let (a, b) = (spell(x, mode), spell(y, mode))
    switch f {
    case .add: return "(\(a) + \(b))"
    case .sub: return "(\(a) - \(b))"
    case .mul: return "(\(a) * \(b))"
    case .div: return "(\(a) / \(b))"
    case .max, .min:
      if dtype(x) == .int32 { return "mlc_\(f.rawValue)i_v(\(a), \(b))" }
      if case .constant(let c, _) = y, !c.isNaN { return "mlc_\(f.rawValue)_number_v(\(a), \(b))" }
      if case .constant(let c, _) = x, !c.isNaN { return "mlc_\(f.rawValue)_number_v(\(b), \(a))" }
      return "mlc_\(f.rawValue)_v(\(a), \(b))"
    case .logicalAnd, .bitwiseAnd: return "(\(a) & \(b))"
    case .logicalOr, .bitwiseOr: return "(\(a) | \(b))"
    case .logicalXor, .bitwiseXor: return "(\(a) ^ \(b))"
    default: return "mlc_\(f.rawValue)_v(\(a), \(b))"
    }
  }

  private func vectorCast(_ x: Scalar, _ t: DType, _ mode: Mode) -> String {
    let v = spell(x, mode)
    switch (dtype(x), t) {
    case (.float32, .float16): return "mlc_round_f16_v(\(v))"
    case (.float32, .bfloat16): return "mlc_round_bf16_v(\(v))"
    case (.float32, .bool): return "mlc_ne_v(\(v), SPLAT(0))"
    case (.bool, .float32): return "(V)(\(v) & (VI)SPLAT(1))"
    case (.bool, .int32): return "(-\(v))"
    case (.int32, .bool): return "(\(v) != 0)"
    case (.int32, .float32), (.int8, .float32), (.uint8, .float32): return "__builtin_convertvector(\(v), V)"
    default: return v
    }
  }
}
