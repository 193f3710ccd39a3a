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

  /// Reduces along the last of `axes` with vectors: four running results, then one, then the lanes that are left. What
  /// `stored` stores in the same places is reduced as it is stored.
  func vectorReduction(
    _ k: Int,
    _ reduction: LoopNest.Reduction,
    _ axes: [Axis],
    _ value: Scalar,
    _ lanes: LaneType,
    storing stored: KeptStore? = nil
  ) -> CCode {
    let axis = axes.last!
    let identity = lanes.splat(reduction.identity(speller.dtype(value)))
    let (i, n) = ("i\(axis.id)", speller.sizes.spell(axis.extent))
    func step(_ u: Int, _ part: String? = nil) -> CCode {
      var shifted = speller
      shifted.name(axis.id, u == 0 ? i : "(\(i) + \(u) * VL)")
      let mode = ScalarSpeller.Mode.vector(axis: axis.id, part: part)
      let (store, value) = stored.map { $0.write("w\(k)_\(u)", mode, &shifted, readBy: value) } ?? ([], value)
      let x = shifted.spell(value, mode)
      let masked = part.map { "\(lanes.function("select"))(mlc_first(\($0)), \(x), \(identity))" } ?? x
      return store + CCode("a\(k)_\(u) = \(reduction.combine("a\(k)_\(u)", masked, lanes));")
    }
    let row: CCode = """
      int64_t \(i) = 0;
      for (; \(i) + 4 * VL <= \(n); \(i) += 4 * VL) {
        \((0..<4).map { step($0) }.joined())
      }
      for (; \(i) + VL <= \(n); \(i) += VL) {
        \(step(0))
      }
      if (\(i) < \(n)) {
        \(step(0, "\(n) - \(i)"))
      }
      """
    return """
      \(lanes.name) \((0..<4).map { "a\(k)_\($0) = \(identity)" }.joined(separator: ", "));
      \(.block(.loops(loops(axes.dropLast()), row)))
      \(result(k, reduction, lanes, of: 4))
      """
  }

  /// Declares the result of stage `k`, which `count` running vectors hold.
  func result(_ k: Int, _ reduction: LoopNest.Reduction, _ lanes: LaneType, of count: Int) -> CCode {
    var parts = (0..<count).map { "a\(k)_\($0)" }
    while parts.count > 1 {
      parts = stride(from: 0, to: parts.count, by: 2).map { j in
        j + 1 < parts.count ? "(\(reduction.combine(parts[j], parts[j + 1], lanes)))" : parts[j]
      }
    }
    let type = speller.stageTypes[k].cType
    return "const \(type) r\(k) = \(lanes.horizontal(reduction.rawValue))(\(parts[0]));"
  }
}
