import MLCCore
import MLCKernels

extension ScalarSpeller {
  /// Whether `s` can be computed for `VL` consecutive positions of `axis` at once.
  package func canVectorise(_ s: Scalar, axis: Int) -> Bool { obstacle(s, axis: axis) == nil }

  /// Why `s` cannot be spelled in vector mode along `axis`: a short reason, or `nil` when it can.
  package func obstacle(_ s: Scalar, axis: Int) -> String? {
    let t = dtype(s)
    guard LaneType(t) != nil else { return "vectors of \(t.rawValue)" }
    if isUniform(s, axis) { return nil }
    switch s {
    case .constant, .integer, .accumulator, .stage: return nil
    case .load(let p, let indices): return obstacle(load: p, indices, axis)
    case .index(let i, let t):
      let x = space.linear(i.substituting(substitutions))
      if x.coefficient(of: laneAxis(axis))?.constant != nil, t != .bool { return nil }
      return takesGathers && x.hasValue && t != .bool ? obstacle(wide: x, axis) : "a divided position"
    case .unary(let f, let x): return obstacle(unary: f, x) ?? obstacle(x, axis: axis)
    case .binary(let f, let x, let y):
      return obstacle(binary: f, x) ?? obstacle(x, axis: axis) ?? obstacle(y, axis: axis)
    case .compare(_, let x, let y):
      if dtype(x) == .uint32 || dtype(x) == .uint64 { return "order of unsigned integers" }
      return obstacle(x, axis: axis) ?? obstacle(y, axis: axis)
    case .select(let c, let x, let y):
      if !isUniform(c, axis), !(isSafe(x, under: c) && isSafe(y, under: c)) { return "a guarded load" }
      return obstacle(c, axis: axis) ?? obstacle(x, axis: axis) ?? obstacle(y, axis: axis)
    case .cast(let x, let t): return obstacle(cast: x, t, axis)
    }
  }

  private func obstacle(load p: Int, _ indices: [Index], _ axis: Int) -> String? {
    guard StoredElement(params[p].dtype).canLoad else {
      return "vectors of \(params[p].dtype.rawValue)"
    }
    guard possiblyEmpty(p, indices).isEmpty else { return "an index into nothing" }
    if isContiguous(address(p, indices), axis) { return nil }
    return takesGathers ? obstacle(gather: p, indices, axis) : "a load with a stride"
  }

  /// Whether the lanes of a vector along `axis` lie beside each other at `address`.
  func isContiguous(_ address: LinearIndex, _ axis: Int) -> Bool {
    let lane = laneAxis(axis)
    return address.coefficient(of: lane) == 1
      || alignment.map { address.isContiguous(along: lane, inGroupsOf: $0) } ?? false
  }

  private func obstacle(unary f: Scalar.Unary, _ x: Scalar) -> String? {
    switch (dtype(x), f) {
    case (.float32, .bitwiseNot), (.float32, .logicalNot): "bits of floats"
    case (.float32, _), (.int32, .neg), (.int32, .abs), (.int64, .neg), (.int64, .abs), (.bool, .logicalNot): nil
    case (.int32, .bitwiseNot), (.int64, .bitwiseNot), (.uint32, .bitwiseNot), (.uint64, .bitwiseNot): nil
    case (.float64, .neg), (.float64, .abs), (.float64, .sqrt), (.float64, .rsqrt), (.float64, .inverse),
      (.float64, .floor), (.float64, .ceil), (.float64, .round), (.float64, .trunc), (.float64, .isNaN),
      (.float64, .isInf):
      nil
    default: "\(f.rawValue) of \(dtype(x).rawValue)"
    }
  }

  private func obstacle(binary f: Scalar.Binary, _ x: Scalar) -> String? {
    switch (dtype(x), f) {
    case (.float32, .pow), (.float32, .mod), (.float32, .fmod), (.bool, .logicalAnd), (.bool, .logicalOr),
      (.bool, .logicalXor):
      nil
    case (.float32, .add), (.float32, .sub), (.float32, .mul), (.float32, .div), (.float32, .max), (.float32, .min),
      (.float64, .add), (.float64, .sub), (.float64, .mul), (.float64, .div), (.float64, .max), (.float64, .min):
      nil
    case (.int32, .max), (.int32, .min), (.int64, .max), (.int64, .min): nil
    case (.int8, .max), (.int8, .min), (.uint8, .max), (.uint8, .min): nil
    case (.int32, let f), (.int64, let f), (.uint32, let f), (.uint64, let f):
      [.add, .sub, .mul, .bitwiseAnd, .bitwiseOr, .bitwiseXor].contains(f) ? nil : "\(f.rawValue) of integers"
    default: "\(f.rawValue) of \(dtype(x).rawValue)"
    }
  }

  private func obstacle(cast x: Scalar, _ t: DType, _ axis: Int) -> String? {
    switch (dtype(x), t) {
    case (.float32, _) where t.smallFloat != nil: return obstacle(x, axis: axis)
    case (.float32, .int8), (.float32, .uint8):
      return Self.clamped(x, to: t) == nil ? "a cast of \(dtype(x).rawValue) to \(t.rawValue)" : obstacle(x, axis: axis)
    case (.int8, .float32), (.int8, .int32), (.int8, .float64), (.int8, .int64), (.int8, .int8), (.int8, .bool),
      (.uint8, .float32), (.uint8, .int32), (.uint8, .float64), (.uint8, .int64), (.uint8, .uint8), (.uint8, .bool),
      (.int32, .int8), (.int32, .uint8):
      return obstacle(x, axis: axis)
    case (.float32, .float32), (.float32, .float16), (.float32, .bfloat16), (.float32, .bool), (.float32, .float64),
      (.float32, .int32), (.float32, .int64), (.float64, .int32), (.float64, .int64),
      (.float64, .float32), (.float64, .float64), (.float64, .bool),
      (.bool, .float32), (.bool, .int32), (.bool, .bool), (.bool, .float64), (.bool, .int64),
      (.int32, .bool), (.int32, .float32), (.int32, .float64), (.int32, .int32), (.int32, .int64), (.int32, .uint32),
      (.int64, .bool), (.int64, .float32), (.int64, .float64), (.int64, .int32), (.int64, .int64), (.int64, .uint64),
      (.uint32, .int32), (.uint32, .uint32), (.uint64, .int64), (.uint64, .uint64):
      return obstacle(x, axis: axis)
    default: return "a cast of \(dtype(x).rawValue) to \(t.rawValue)"
    }
  }

  /// Whether `s` may be computed where `condition` does not hold. Data cannot guard an affine load, positions can.
  private func isSafe(_ s: Scalar, under condition: Scalar) -> Bool {
    var usesPosition = false
    condition.visitNodes { if case .index = $0 { usesPosition = true } }
    var safe = true
    s.visitNodes {
      guard case .load(let p, let indices) = $0 else { return }
      let isAnywhere = takesGathers && possiblyEmpty(p, indices).isEmpty
      if address(p, indices).hasValue && !isAnywhere { safe = false }
      if usesPosition && !isInRange(p, indices, orClamped: isAnywhere) { safe = false }
    }
    return safe
  }
}
