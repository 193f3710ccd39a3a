import MLCCore
import MLCKernels

extension LoopNest.Reduction {
  /// What an empty reduction of `t` gives, as C.
  func identity(_ t: DType) -> String {
    switch self {
    case .sum, .argMax, .argMin: return ScalarSpeller.literal(0, t)
    case .product: return ScalarSpeller.literal(1, t)
    case .max: return t.isFloat ? ScalarSpeller.literal(-Double.infinity, t) : least(t)
    case .min: return t.isFloat ? ScalarSpeller.literal(Double.infinity, t) : greatest(t)
    }
  }

  private func least(_ t: DType) -> String {
    guard t.isSigned else { return ScalarSpeller.literal(0, t) }
    return ScalarSpeller.literal(-1 << (t.bitWidth - 1), t)
  }
  private func greatest(_ t: DType) -> String {
    if t == .bool { return ScalarSpeller.literal(1, t) }
    if t == .uint64 { return "UINT64_MAX" }
    let bits = t.isSigned ? t.bitWidth - 1 : t.bitWidth
    return ScalarSpeller.literal(bits == 63 ? Int.max : (1 << bits) - 1, t)
  }

  /// The vectors that hold the running result of values of `type`.
  func lanes(_ type: DType) -> LaneType? {
    switch (self, type) {
    case (.argMax, _), (.argMin, _), (_, .bool), (.max, .uint32), (.max, .uint64), (.min, .uint32), (.min, .uint64): nil
    case (.sum, .int8), (.sum, .uint8), (.product, .int8), (.product, .uint8): nil
    default: LaneType(type)
    }
  }

  /// `a` and `x` reduced, vectors.
  func combine(_ a: String, _ x: String, _ lanes: LaneType) -> String {
    switch self {
    case .sum: "\(a) + \(x)"
    case .product: "\(a) * \(x)"
    default: "\(lanes.function(rawValue))(\(a), \(x))"
    }
  }

  /// `a` and `x` reduced, one element of type `t`.
  func combine(_ a: String, _ x: String, _ t: DType) -> String {
    switch self {
    case .sum: t == .bool ? "(uint8_t)(\(a) || \(x))" : "\(a) + \(x)"
    case .product: t == .bool ? "(uint8_t)(\(a) && \(x))" : "\(a) * \(x)"
    default: t.isFloat ? "mlc_\(rawValue)_\(t.cSuffix)(\(a), \(x))" : "mlc_\(rawValue)_\(t.cSuffix)_(\(a), \(x))"
    }
  }
}

extension NestWriter {
  /// The vectors that a reduction along `axis` runs in, a part of the result in each lane.
  func lanes(_ reduction: LoopNest.Reduction, _ value: Scalar, along axis: Axis) -> LaneType? {
    speller.isUniform(value, axis.id) || !speller.canVectorise(value, axis: axis.id)
      ? nil : reduction.lanes(speller.dtype(value))
  }

  /// Reduces one element at a time. Sums of float32 run in double.
  func scalarReduction(_ k: Int, _ reduction: LoopNest.Reduction, _ axes: [Axis], _ value: Scalar) -> CCode {
    let t = speller.dtype(value)
    if reduction == .argMax || reduction == .argMin {
      return argument(k, reduction == .argMax ? ">" : "<", axes, value)
    }
    let wide = t == .float32 && (reduction == .sum || reduction == .product)
    return """
      \(wide ? "double" : t.cType) a\(k) = \(reduction.identity(t));
      \(.loops(loops(axes), "a\(k) = \(reduction.combine("a\(k)", speller.spell(value), t));"))
      const \(t.cType) r\(k) = (\(t.cType))a\(k);
      """
  }

  private func argument(_ k: Int, _ op: String, _ axes: [Axis], _ value: Scalar) -> CCode {
    let t = speller.dtype(value)
    let isFirstNaN = t.isFloat ? " || (x\(k) != x\(k) && a\(k) == a\(k))" : ""
    let step: CCode = """
      const \(t.cType) x\(k) = \(speller.spell(value));
      if (n\(k) == 0 || x\(k) \(op) a\(k)\(isFirstNaN)) a\(k) = x\(k), r\(k) = n\(k);
      n\(k)++;
      """
    return """
      int64_t r\(k) = 0, n\(k) = 0;
      \(t.cType) a\(k) = 0;
      \(.loops(loops(axes), step))
      """
  }

  /// Reduces along the last of `axes` with vectors: four running results, then one, then the lanes that are left.
  func vectorReduction(
    _ k: Int,
    _ reduction: LoopNest.Reduction,
    _ axes: [Axis],
    _ value: Scalar,
    _ lanes: LaneType
  ) -> CCode {
    let axis = axes.last!
    let type = speller.dtype(value)
    let identity = lanes.splat(reduction.identity(type))
    let (i, n) = ("i\(axis.id)", speller.sizes.spell(axis.extent))
    func step(_ u: Int, _ part: String? = nil) -> String {
      var shifted = speller
      shifted.name(axis.id, u == 0 ? i : "(\(i) + \(u) * VL)")
      let x = shifted.spell(value, .vector(axis: axis.id, part: part))
      let masked = part.map { "\(lanes.function("select"))(mlc_first(\($0)), \(x), \(identity))" } ?? x
      return "a\(k)_\(u) = \(reduction.combine("a\(k)_\(u)", masked, lanes));"
    }
    let row: CCode = """
      int64_t \(i) = 0;
      for (; \(i) + 4 * VL <= \(n); \(i) += 4 * VL) {
        \(CCode(lines: (0..<4).map { step($0) }))
      }
      for (; \(i) + VL <= \(n); \(i) += VL) \(step(0))
      if (\(i) < \(n)) \(step(0, "\(n) - \(i)"))
      """
    let pairs = reduction.combine(
      "(\(reduction.combine("a\(k)_0", "a\(k)_1", lanes)))",
      "(\(reduction.combine("a\(k)_2", "a\(k)_3", lanes)))",
      lanes
    )
    return """
      \(lanes.name) \((0..<4).map { "a\(k)_\($0) = \(identity)" }.joined(separator: ", "));
      \(.block(.loops(loops(axes.dropLast()), row)))
      const \(type.cType) r\(k) = \(lanes.horizontal(reduction.rawValue))(\(pairs));
      """
  }
}
