import MLCCore
import MLCKernels

// All stages for `VL` positions of one outer loop at once: elementwise nests, reductions over leading axes, softmax
// over channels, everything over the lanes of blocked tensors.

extension NestWriter {
  /// The loop to vectorise, when every stage allows it and the stages' own loops are not the better choice.
  func outerVectorAxis() -> Axis? {
    guard let axis = nest.axes.last(where: { allows($0) }) else { return nil }
    let own = nest.stages.filter { !$0.axes.isEmpty }
    if own.isEmpty { return axis }
    let innerIsFast = own.allSatisfy { stage in
      guard let last = stage.axes.last, TaskPlan.extent(last) >= lanes else { return false }
      switch stage {
      case .reduce(let r, _, let value):
        return lanes(r, value, along: last) != nil
      case .store(let p, let index, _, let value):
        return speller.obstacle(store: p, index, value, axis: last.id) == nil
      case .compute: return true
      }
    }
    return innerIsFast ? nil : axis
  }

  /// Whether every stage has vectors along `axis`, reductions left out unless `reducing`.
  func allows(_ axis: Axis, reducing: Bool = true) -> Bool {
    var speller = speller
    speller.stagesAreVectors = true
    return nest.stages.allSatisfy { stage in
      switch stage {
      case .compute(let value):
        return speller.canVectorise(value, axis: axis.id)
      case .reduce(let r, _, let value):
        if !reducing { return true }
        let type = speller.dtype(value)
        let isReduced = stage.isArgument ? type == .float32 : r.lanes(type) != nil
        return isReduced && speller.canVectorise(value, axis: axis.id)
      case .store(let p, let index, _, let value):
        return speller.obstacle(store: p, index, value, axis: axis.id) == nil
      }
    }
  }

  func outerVector(_ axis: Axis, _ plan: TaskPlan) -> CCode {
    let i = "i\(axis.id)"
    let count = plan.chunk == nil ? axis.extent.constant : nil
    if count == lanes {
      return """
        const int64_t \(i) = 0;
        (void)lo, (void)hi;
        \(.block(stages(axis, 1, nil)))
        """
    }
    var code: CCode = "int64_t \(i) = lo;"
    if count.map({ $0 >= 4 * lanes }) ?? true {
      code += .block("for (; \(i) + 4 * VL <= hi; \(i) += 4 * VL)", stages(axis, 4, nil))
    }
    if count.map({ $0 >= lanes }) ?? true {
      code += .block("for (; \(i) + VL <= hi; \(i) += VL)", stages(axis, 1, nil))
    }
    if let extent = axis.extent.constant, extent.isMultiple(of: lanes) { return code }
    return code + .block("if (\(i) < hi)", "const int64_t part = hi - \(i);" + stages(axis, 1, "part"))
  }

  /// All stages for `unroll` vectors from the current position on. `reduced` declares the result of a reduction that
  /// is made already.
  func stages(_ axis: Axis, _ unroll: Int, _ part: String?, reduced: ((Int) -> CCode)? = nil) -> CCode {
    let mode = ScalarSpeller.Mode.vector(axis: axis.id, part: part)
    let spellers = (0..<unroll).map { u in
      var shifted = speller
      shifted.stagesAreVectors = true
      if u > 0 { shifted.name(axis.id, "(i\(axis.id) + \(u) * VL)") }
      shifted.stages.replaceSubrange(nest.stages.indices, with: nest.stages.indices.map { "r\($0)_\(u)" })
      return shifted
    }
    return nest.stages.enumerated().map { k, stage -> CCode in
      switch stage {
      case .compute(let value):
        let type = LaneType(speller.stageTypes[k])!.name
        return spellers.enumerated().map { u, s in result(k, u, type, s.spell(value, mode)) }.joined()
      case .store(let p, let index, let axes, let value):
        return .loops(loops(axes), CCode(lines: spellers.map { $0.store(p, index, value, mode) }))
      case .reduce(let reduction, let axes, let value) where stage.isArgument:
        return arguments(k, reduction, axes, value, mode, spellers)
      case .reduce(let reduction, let axes, let value):
        return reduced?(k) ?? self.reduction(k, reduction, axes, value, mode, spellers)
      }
    }.joined()
  }

  /// Declares the result of stage `k` for the vector `u`.
  private func result(_ k: Int, _ u: Int, _ type: String, _ value: String) -> CCode {
    """
    const \(type) r\(k)_\(u) = \(value);
    (void)r\(k)_\(u);
    """
  }

  /// Where the greatest or the least elements are, counted over `axes`; the first NaN is beyond all.
  private func arguments(
    _ k: Int,
    _ reduction: LoopNest.Reduction,
    _ axes: [Axis],
    _ value: Scalar,
    _ mode: ScalarSpeller.Mode,
    _ spellers: [ScalarSpeller]
  ) -> CCode {
    let (sign, op) = reduction == .argMax ? ("-", ">") : ("", "<")
    let running = spellers.indices.map { u in
      "V a\(k)_\(u) = SPLAT(\(sign)__builtin_inff()); VI n\(k)_\(u) = {0};"
    }
    let steps = spellers.enumerated().map { u, s -> CCode in
      let (a, n) = ("a\(k)_\(u)", "n\(k)_\(u)")
      return """
        {
          const V x = \(s.spell(value, mode));
          const VI isBeyond = (x \(op) \(a)) | ((x != x) & (\(a) == \(a)));
          \(a) = mlc_select_v(isBeyond, x, \(a));
          \(n) = mlc_selecti_v(isBeyond, SPLATI(c\(k)), \(n));
        }
        """
    }
    let results = spellers.indices.map { u in
      result(k, u, LaneType.long.name, LaneType.long.converted("n\(k)_\(u)", from: .int))
    }
    return """
      \(CCode(lines: running))
      int32_t c\(k) = 0;
      \(.loops(loops(axes), steps.joined() + "c\(k)++;"))
      \(results.joined())
      """
  }

  /// One running vector for each of `spellers`; a single one is divided over the turns of the last loop.
  private func reduction(
    _ k: Int,
    _ reduction: LoopNest.Reduction,
    _ axes: [Axis],
    _ value: Scalar,
    _ mode: ScalarSpeller.Mode,
    _ spellers: [ScalarSpeller]
  ) -> CCode {
    let type = speller.dtype(value)
    let lanes = reduction.lanes(type)!
    let identity = lanes.splat(reduction.identity(type))
    let ways = spellers.count == 1 && axes.last.map { TaskPlan.extent($0) >= 8 } ?? false ? 4 : 1
    let running = spellers.indices.map { u in
      "\(lanes.name) " + (0..<ways).map { "a\(k)_\(u)_\($0) = \(identity)" }.joined(separator: ", ") + ";"
    }
    func step(_ u: Int, _ way: Int, _ s: ScalarSpeller) -> String {
      let a = "a\(k)_\(u)_\(way)"
      return "\(a) = \(reduction.combine(a, s.spell(value, mode), lanes));"
    }
    let results = spellers.indices.map { u -> CCode in
      let sum = (1..<ways).reduce("a\(k)_\(u)_0") { reduction.combine($0, "a\(k)_\(u)_\($1)", lanes) }
      return result(k, u, lanes.name, sum)
    }
    let turns: CCode
    if ways == 1 {
      turns = .loops(loops(axes), CCode(lines: spellers.enumerated().map { step($0, 0, $1) }))
    } else {
      let last = axes.last!
      let (j, n) = ("i\(last.id)", speller.sizes.spell(last.extent))
      let steps = (0..<4).map { way in
        var shifted = spellers[0]
        if way > 0 { shifted.name(last.id, "(\(j) + \(way))") }
        return step(0, way, shifted)
      }
      let row: CCode = """
        int64_t \(j) = 0;
        for (; \(j) + 4 <= \(n); \(j) += 4) {
          \(CCode(lines: steps))
        }
        for (; \(j) < \(n); \(j)++) \(step(0, 0, spellers[0]))
        """
      turns = .block(.loops(loops(axes.dropLast()), row))
    }
    return CCode(lines: running) + turns + results.joined()
  }
}
