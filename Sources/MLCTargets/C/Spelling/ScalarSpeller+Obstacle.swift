import MLCCore
import MLCKernels

extension ScalarSpeller {
  /// Whether `s` can be computed for `VL` consecutive positions of `axis` at once.
  package func canVectorise(_ s: Scalar, axis: Int) -> Bool { obstacle(s, axis: axis) == nil }

  /// Why `s` cannot be spelled in vector mode along `axis`: a short reason, or `nil` when it can.
  package func obstacle(_ s: Scalar, axis: Int) -> String? {
    if case .load(let p, _) = s, [.int8, .uint8].contains(params[p].dtype) { return "arithmetic on bytes" }
    let t = dtype(s)
    guard [.float32, .int32, .bool].contains(t) else { return "vectors of \(t.rawValue)" }
    if isUniform(s, axis) { return nil }
    switch s {
    case .constant, .integer, .accumulator, .stage: return nil
    case .load(let p, let indices): return obstacle(load: p, indices, axis)
    case .index(let i, let t):
      let x = space.linear(i.substituting(substitutions))
      guard x.coefficient(of: laneAxis(axis))?.constant != nil, t != .bool else { return "a divided position" }
      return nil
    case .unary(let f, let x): return obstacle(unary: f, x) ?? obstacle(x, axis: axis)
    case .binary(let f, let x, let y):
      return obstacle(binary: f, x) ?? obstacle(x, axis: axis) ?? obstacle(y, axis: axis)
    case .compare(_, let x, let y): return obstacle(x, axis: axis) ?? obstacle(y, axis: axis)
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
    return address(p, indices).coefficient(of: laneAxis(axis)) == 1 ? nil : "a load with a stride"
  }

  private func obstacle(unary f: Scalar.Unary, _ x: Scalar) -> String? {
    switch (dtype(x), f) {
    case (.float32, .bitwiseNot), (.float32, .logicalNot): "bits of floats"
    case (.float32, _), (.int32, .neg), (.int32, .abs), (.int32, .bitwiseNot), (.bool, .logicalNot): nil
    default: "\(f.rawValue) of integers"
    }
  }

  private func obstacle(binary f: Scalar.Binary, _ x: Scalar) -> String? {
    switch (dtype(x), f) {
    case (.float32, .add), (.float32, .sub), (.float32, .mul), (.float32, .div), (.float32, .max), (.float32, .min),
      (.float32, .pow), (.float32, .mod), (.float32, .fmod), (.int32, .add), (.int32, .sub), (.int32, .mul),
      (.int32, .max), (.int32, .min), (.int32, .bitwiseAnd), (.int32, .bitwiseOr), (.int32, .bitwiseXor),
      (.bool, .logicalAnd), (.bool, .logicalOr), (.bool, .logicalXor):
      nil
    default: "\(f.rawValue) of integers"
    }
  }

  private func obstacle(cast x: Scalar, _ t: DType, _ axis: Int) -> String? {
    if case .load(let p, let indices) = x, [.int8, .uint8].contains(params[p].dtype), [.float32, .int32].contains(t) {
      return obstacle(load: p, indices, axis)
    }
    switch (dtype(x), t) {
    case (.float32, .float32), (.float32, .float16), (.float32, .bfloat16), (.float32, .bool), (.bool, .float32),
      (.bool, .int32), (.bool, .bool), (.int32, .int32), (.int32, .bool), (.int32, .float32):
      return obstacle(x, axis: axis)
    default: return "a cast to \(t.rawValue)"
    }
  }

  /// Whether `s` may be computed where `condition` does not hold. Data cannot guard an affine load, positions can.
  private func isSafe(_ s: Scalar, under condition: Scalar) -> Bool {
    var usesPosition = false
    condition.visitNodes { if case .index = $0 { usesPosition = true } }
    var safe = true
    s.visitNodes {
      guard case .load(let p, let indices) = $0 else { return }
      if address(p, indices).hasValue || (usesPosition && !isInRange(p, indices)) { safe = false }
    }
    return safe
  }
}
