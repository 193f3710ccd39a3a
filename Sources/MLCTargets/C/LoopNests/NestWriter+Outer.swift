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
        return r.hasVectors && !speller.isUniform(value, last.id) && speller.canVectorise(value, axis: last.id)
      case .store(let p, let index, _, let value):
        return speller.obstacle(store: p, index, value, axis: last.id) == nil
      case .compute: return true
      }
    }
    return innerIsFast ? nil : axis
  }

  private func allows(_ axis: Axis) -> Bool {
    var speller = speller
    speller.stagesAreVectors = true
    return nest.stages.allSatisfy { stage in
      switch stage {
      case .compute(let value):
        return speller.canVectorise(value, axis: axis.id)
      case .reduce(let r, _, let value):
        return r.hasVectors && speller.dtype(value) == .float32 && speller.canVectorise(value, axis: axis.id)
      case .store(let p, let index, _, let value):
        return speller.obstacle(store: p, index, value, axis: axis.id) == nil
      }
    }
  }

  func writeOuterVector(_ axis: Axis, _ plan: TaskPlan, _ code: inout CodeWriter) {
    let i = "i\(axis.id)"
    let count = plan.chunk == nil ? axis.extent.constant : nil
    if count == lanes {
      code.lines(["const int64_t \(i) = 0;", "(void)lo, (void)hi;"])
      return code.block("") { writeLanes(axis, 1, nil, &$0) }
    }
    code.line("int64_t \(i) = lo;")
    if count.map({ $0 >= 4 * lanes }) ?? true {
      code.block("for (; \(i) + 4 * VL <= hi; \(i) += 4 * VL)") { writeLanes(axis, 4, nil, &$0) }
    }
    if count.map({ $0 >= lanes }) ?? true {
      code.block("for (; \(i) + VL <= hi; \(i) += VL)") { writeLanes(axis, 1, nil, &$0) }
    }
    if let extent = axis.extent.constant, extent.isMultiple(of: lanes) { return }
    code.block("if (\(i) < hi)") {
      $0.line("const int64_t part = hi - \(i);")
      writeLanes(axis, 1, "part", &$0)
    }
  }

  /// All stages for `unroll` vectors from the current position on.
  private func writeLanes(_ axis: Axis, _ unroll: Int, _ part: String?, _ code: inout CodeWriter) {
    let mode = ScalarSpeller.Mode.vector(axis: axis.id, part: part)
    let spellers = (0..<unroll).map { u in
      var shifted = speller
      shifted.stagesAreVectors = true
      if u > 0 { shifted.name(axis.id, "(i\(axis.id) + \(u) * VL)") }
      shifted.stages = nest.stages.indices.map { "r\($0)_\(u)" }
      return shifted
    }
    for (k, stage) in nest.stages.enumerated() {
      let type = speller.stageTypes[k] == .float32 ? "V" : "VI"
      switch stage {
      case .compute(let value):
        for (u, s) in spellers.enumerated() {
          code.lines(["const \(type) r\(k)_\(u) = \(s.spell(value, mode));", "(void)r\(k)_\(u);"])
        }
      case .store(let p, let index, let axes, let value):
        code.loops(loops(axes)) { for s in spellers { $0.line(s.store(p, index, value, mode)) } }
      case .reduce(let reduction, let axes, let value):
        writeReduction(k, reduction, axes, value, mode, spellers, &code)
      }
    }
  }

  /// One running vector for each of `spellers`; a single one is divided over the turns of the last loop.
  private func writeReduction(
    _ k: Int,
    _ reduction: LoopNest.Reduction,
    _ axes: [Axis],
    _ value: Scalar,
    _ mode: ScalarSpeller.Mode,
    _ spellers: [ScalarSpeller],
    _ code: inout CodeWriter
  ) {
    let identity = reduction.identity(.float32)
    let ways = spellers.count == 1 && axes.last.map { TaskPlan.extent($0) >= 8 } ?? false ? 4 : 1
    for u in spellers.indices {
      code.line("V " + (0..<ways).map { "a\(k)_\(u)_\($0) = SPLAT(\(identity))" }.joined(separator: ", ") + ";")
    }
    func step(_ u: Int, _ way: Int, _ s: ScalarSpeller) -> String {
      let a = "a\(k)_\(u)_\(way)"
      return "\(a) = \(reduction.combineVectors(a, s.spell(value, mode)));"
    }
    if ways == 1 {
      code.loops(loops(axes)) { for (u, s) in spellers.enumerated() { $0.line(step(u, 0, s)) } }
    } else {
      let last = axes.last!
      code.block("") {
        $0.loops(loops(axes.dropLast())) {
          let (j, n) = ("i\(last.id)", speller.sizes.spell(last.extent))
          $0.line("int64_t \(j) = 0;")
          $0.block("for (; \(j) + 4 <= \(n); \(j) += 4)") {
            for way in 0..<4 {
              var shifted = spellers[0]
              if way > 0 { shifted.name(last.id, "(\(j) + \(way))") }
              $0.line(step(0, way, shifted))
            }
          }
          $0.line("for (; \(j) < \(n); \(j)++) \(step(0, 0, spellers[0]))")
        }
      }
    }
    for u in spellers.indices {
      let sum = (1..<ways).reduce("a\(k)_\(u)_0") { reduction.combineVectors($0, "a\(k)_\(u)_\($1)") }
      code.lines(["const V r\(k)_\(u) = \(sum);", "(void)r\(k)_\(u);"])
    }
  }
}
