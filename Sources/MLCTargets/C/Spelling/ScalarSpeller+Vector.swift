import MLCCore
import MLCKernels

// Vector mode. A value of lanes is of its type's `LaneType`.

extension ScalarSpeller {
  /// The lanes of `mode` as a C expression; in scalar mode, the one element.
  package func spell(_ s: Scalar, _ mode: Mode) -> String {
    guard case .vector(let axis, let part) = mode else { return spell(s) }
    if isUniform(s, axis) { return splat(s) }
    switch s {
    case .constant, .integer: return splat(s)
    case .load(let p, let indices):
      let place = address(p, indices)
      if !isContiguous(place, axis) { return gather(p, place, mode) }
      return StoredElement(params[p].dtype).load(pointer(p, place, mode), part: part)
    case .index(let i, let t): return vectorIndex(i, t, axis, mode)
    case .unary(let f, let x): return vectorUnary(f, x, mode)
    case .binary(let f, let x, let y): return vectorBinary(f, x, y, mode)
    case .compare(let f, let x, let y): return lanes(x).truth("\(spell(x, mode)) \(f.cOperator) \(spell(y, mode))")
    case .select(let c, let x, let y):
      if isUniform(c, axis) { return "(\(spell(c)) ? \(spell(x, mode)) : \(spell(y, mode)))" }
      let (a, b) = (under(c).spell(x, mode), under(.unary(.logicalNot, c)).spell(y, mode))
      return "\(lanes(x).function("select"))(\(spell(c, mode)), \(a), \(b))"
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
    case .stage(let k): return !(stageHasLanes[k] ?? stagesAreVectors)
    case .accumulator: return false
    }
  }

  private func splat(_ s: Scalar) -> String {
    lanes(s).splat(dtype(s) == .bool ? "-\(spell(s))" : spell(s))
  }

  private func vectorIndex(_ i: Index, _ t: DType, _ axis: Int, _ mode: Mode) -> String {
    let x = space.linear(i.substituting(substitutions))
    guard let step = x.coefficient(of: laneAxis(axis))?.constant else {
      return lanes(.index(i, t)).converted(wide(x, mode), from: .long)
    }
    let isWide = t == .float64 || t == .int64 || t == .uint64
    let (type, iota) = isWide ? (LaneType.long, "mlc_iota_q()") : (.int, "mlc_iota()")
    return lanes(.index(i, t)).converted("(\(type.splat(spell(x))) + \(iota) * \(step))", from: type)
  }

  private func vectorUnary(_ f: Scalar.Unary, _ x: Scalar, _ mode: Mode) -> String {
    let v = spell(x, mode)
    switch f {
    case .neg: return "(-\(v))"
    case .logicalNot, .bitwiseNot: return "(~\(v))"
    case .isNaN: return lanes(x).truth("\(v) != \(v)")
    case .isInf: return lanes(x).truth("\(lanes(x).function("abs"))(\(v)) == \(lanes(x).splat("__builtin_inff()"))")
    case .rsqrt: return "(\(Self.literal(1, dtype(x)))/\(lanes(x).function("sqrt"))(\(v)))"
    case .inverse: return "(\(Self.literal(1, dtype(x)))/\(v))"
    case .exp where isAtMostZero(x): return "mlc_exp_negative_v(\(v))"
    default: return "\(lanes(x).function(f.rawValue))(\(v))"
    }
  }

  private func vectorBinary(_ f: Scalar.Binary, _ x: Scalar, _ y: Scalar, _ mode: Mode) -> String {
    if let range = requantized(.binary(f, x, y)) { return rounded(range, mode) }
    if f == .pow, let short = Self.shortPower(x, y) { return spell(short, mode) }
    let (a, b) = (spell(x, mode), spell(y, mode))
    switch f {
    case .add: return "(\(a) + \(b))"
    case .sub: return "(\(a) - \(b))"
    case .mul: return "(\(a) * \(b))"
    case .div: return "(\(a) / \(b))"
    case .max, .min:
      guard lanes(x) == .float else { return "\(lanes(x).function(f.rawValue))(\(a), \(b))" }
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
    if let range = requantized(.cast(x, t)) { return rounded(range, mode) }
    let v = spell(x, mode)
    switch (dtype(x), t) {
    case (.float32, .float16): return "mlc_round_f16_v(\(v))"
    case (.float32, .bfloat16): return "mlc_round_bf16_v(\(v))"
    case (.float32, _) where t.smallFloat != nil: return "mlc_round_\(t.smallFloat!.name)_v(\(v))"
    case (.bool, .bool): return v
    case (_, .bool): return lanes(x).truth("\(v) != \(lanes(x).splat("0"))")
    case (.bool, .float32): return "(V)(\(v) & (VI)SPLAT(1))"
    case (.bool, _): return lanes(.cast(x, t)).converted("(-\(v))", from: .int)
    case (.float32, .int8), (.float32, .uint8):
      guard let range = Self.clamped(x, to: t) else { preconditionFailure("a cast of floats that no clamp bounds") }
      return quantized(range, mode)
    case (.float32, .int32), (.float32, .int64):
      if Self.isInInt32(x) { return lanes(.cast(x, t)).converted("mlc_i32_v(\(v))", from: .int) }
      return lanes(.cast(x, t)).converted("mlc_i64_v(\(v))", from: .long)
    case (.float64, .int32), (.float64, .int64):
      return lanes(.cast(x, t)).converted("mlc_i64_d(\(v))", from: .long)
    case (.int32, .uint8): return "(\(v) & 255)"
    case (.int32, .int8): return "(\(v) << 24 >> 24)"
    default: return lanes(.cast(x, t)).converted(v, from: lanes(x))
    }
  }

  /// Whether `x` is clamped to numbers of int32.
  private static func isInInt32(_ x: Scalar) -> Bool {
    guard case .binary(.min, .binary(.max, _, .constant(let low, _)), .constant(let high, _)) = x else { return false }
    return low > -0x1p31 && low <= high && high < 0x1p31
  }

  /// What holds the lanes of `s`, which has some.
  func lanes(_ s: Scalar) -> LaneType {
    guard let type = LaneType(dtype(s)) else { preconditionFailure("no vectors of \(dtype(s).rawValue)") }
    return type
  }
}
