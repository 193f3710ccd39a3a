import MLCCore
import MLCKernels

/// A nest of stores along `lanes` at every position of `repeats`, of which the places where it gathers do not depend.
///
/// A task takes a stretch of lanes and a group of positions: it fills buffers with offsets, and with values that do not
/// depend on `repeats` either, and then goes through the positions.
struct PreparedGathers {
  /// Before anything is replaced, as it stands in the buffers' loop, and as it stands in the stores' loop.
  private var filling: NestWriter, storing: NestWriter
  private let lanes: Axis, repeats: [Axis], prefix: [Axis]
  private var values: [(stage: Int, value: Scalar, type: LaneType)] = []
  private var gathers: [Gather] = []
  private var bases: [GatherBase] = []

  /// Bytes of all buffers, and the most and the fewest positions that they are for.
  private static let room = 16384, longest = 512, shortest = 64
  /// Positions of `repeats` that make buffers worth filling, and those where nobody knows how many there are.
  private static let leastGroup = 8, openGroup = 32
  /// Tasks that divide well among threads.
  private static let enoughTasks = 32

  init(_ writer: NestWriter, _ lanes: Axis, _ repeats: [Axis]) {
    (filling, storing, self.lanes, self.repeats) = (writer, writer, lanes, repeats)
    prefix = writer.nest.axes.filter { $0 != lanes && !repeats.contains($0) }
    storing.nest.stages = writer.nest.stages.map { $0.changingValue { keeping($0, isChosen: false) } }
    var found = GatherSearch(storing.speller, lanes.id)
    for stage in storing.nest.stages { found.visit(stage.value) }
    (gathers, bases) = (found.gathers, found.bases)
    for (number, gather) in gathers.enumerated() {
      let type = filling.speller.offsetType(gather.apart)
      let near = reach(gather) == nil ? nil : "near\(number)[(\(i) - lo) / VL]"
      storing.speller.prepared[gather] = PreparedGather(
        offsets: "\(type.load)(at\(number) + (\(i) - lo))",
        near: near
      )
    }
    for (number, base) in bases.enumerated() { storing.speller.bases[base] = "base\(number)" }
  }

  private var i: String { "i\(lanes.id)" }

  private func reach(_ gather: Gather) -> Int? { filling.speller.reach(gather.apart, lanes: filling.lanes) }

  /// `s` with stages for what is kept in buffers.
  private mutating func keeping(_ s: Scalar, isChosen: Bool) -> Scalar {
    if s.arithmetic > 0, isKept(s, isChosen) {
      let (type, dtype) = (LaneType(filling.speller.dtype(s))!, filling.speller.dtype(s))
      let number = values.count
      if let known = values.first(where: { $0.value == s }) { return .stage(known.stage) }
      let stage = filling.speller.addStage("kept\(number)", dtype, hasLanes: true)
      _ = storing.speller.addStage("\(type.load)(value\(number) + (\(i) - lo))", dtype, hasLanes: true)
      values.append((stage, s, type))
      return .stage(stage)
    }
    switch s {
    case .unary(let f, let x): return .unary(f, keeping(x, isChosen: isChosen))
    case .binary(let f, let x, let y):
      return .binary(f, keeping(x, isChosen: isChosen), keeping(y, isChosen: isChosen))
    case .compare(let f, let x, let y):
      return .compare(f, keeping(x, isChosen: isChosen), keeping(y, isChosen: isChosen))
    case .select(let c, let x, let y):
      return .select(keeping(c, isChosen: isChosen), keeping(x, isChosen: true), keeping(y, isChosen: true))
    case .cast(let x, let t): return .cast(keeping(x, isChosen: isChosen), t)
    default: return s
    }
  }

  /// Whether `s` has lanes and does not depend on `repeats`; where a condition chooses it, it must be safe without.
  private func isKept(_ s: Scalar, _ isChosen: Bool) -> Bool {
    let speller = filling.speller
    guard !speller.isUniform(s, lanes.id), !repeats.contains(where: { s.mentions($0.id) }) else { return false }
    var isSafe = true
    s.visitNodes {
      switch $0 {
      case .load(let p, let indices): if isChosen && !speller.isInRange(p, indices) { isSafe = false }
      case .stage, .accumulator: isSafe = false
      default: break
      }
    }
    return isSafe
  }

  func part() -> NestPart {
    let sizes = filling.speller.sizes
    let cost = filling.nest.positionCost
    let width =
      values.reduce(0) { $0 + $1.type.bytes }
      + gathers.reduce(0) { $0 + filling.speller.offsetType($1.apart).bytes }
    let multiple = 4 * filling.lanes
    let wanted = Swift.max(Self.shortest, Swift.min(Self.longest, Self.room / Swift.max(width, 1)))
    let most = Swift.min(wanted, lanes.extent.constant ?? wanted)
    let length = (most + multiple - 1) / multiple * multiple
    let group = group(most, length, cost)
    let count = repeats.reduce(Dim(1)) { $0 * $1.extent }
    let (stretches, groups) = (lanes.extent.ceilDiv(Dim(length)), count.ceilDiv(Dim(group)))
    let tasks = prefix.reduce(stretches * groups) { $0 * $1.extent }
    let body: CCode = """
      \(filling.speller.prologue(filling.kernel, in: filling.program))
      for (int64_t t = begin; t < end; t++) {
        int64_t q = t;
        const int64_t lo = q % \(sizes.spell(stretches)) * \(length);
        const int64_t hi = mlc_min_i64(lo + \(length), \(sizes.spell(lanes.extent)));
        q /= \(sizes.spell(stretches));
        const int64_t first = q % \(sizes.spell(groups)) * \(group);
        const int64_t last = mlc_min_i64(first + \(group), \(sizes.spell(count)));
        q /= \(sizes.spell(groups));
        (void)q;
        \(.positions(filling.loops(prefix), of: "q"))
        \(buffers(length))
        \(along { fill($0) })
        for (int64_t r = first; r < last; r++) {
          int64_t w = r;
          (void)w;
          \(.positions(filling.loops(repeats), of: "w"))
          \(pointers)
          \(along { storing.stages(lanes, 1, $0) })
        }
      }
      """
    return NestPart(tasks: sizes.spell(tasks), body: body)
  }

  /// How many positions of `repeats` a task takes of stretches of `length`, `most` of which are used: as many as what
  /// they read stays in the cache for the next stretch, and as there are tasks to divide among threads.
  private func group(_ most: Int, _ length: Int, _ cost: Int) -> Int {
    let axes = prefix + repeats
    let turns = axes.reduce((TaskPlan.extent(lanes) + length - 1) / length) {
      Swift.min($0 * TaskPlan.extent($1), 1 << 40)
    }
    let read = gathers.reduce(1) { Swift.max($0, reach($1) ?? 0) } * LaneType.float.bytes
    let cached = filling.device.secondCacheBytes / read
    let worth = TaskPlan.grain / Swift.max(Swift.min(most, 1 << 20) * cost, 1)
    let least = repeats.allSatisfy { $0.extent.constant != nil } ? Self.leastGroup : Self.openGroup
    return Swift.max(least, worth, Swift.min(cached, turns / Self.enoughTasks))
  }

  /// `body` at the stretch's vectors, with the lanes that count in the last.
  private func along(_ body: (String?) -> CCode) -> CCode {
    let vectors: CCode = """
      int64_t \(i) = lo;
      for (; \(i) + VL <= hi; \(i) += VL) {
        \(body(nil))
      }
      """
    if let extent = lanes.extent.constant, extent.isMultiple(of: filling.lanes) { return .block(vectors) }
    return .block(
      vectors
        + """
        if (\(i) < hi) {
          const int64_t part = hi - \(i);
          \(body("part"))
        }
        """
    )
  }

  private func buffers(_ length: Int) -> CCode {
    let kept = values.enumerated().map { "\($1.type.element) value\($0)[\(length)];" }
    let offsets = gathers.enumerated().map { number, gather in
      "\(filling.speller.offsetType(gather.apart).element) at\(number)[\(length)];"
        + (reach(gather) == nil ? "" : " int32_t near\(number)[\(length) / VL];")
    }
    return CCode(lines: kept + offsets)
  }

  private func fill(_ part: String?) -> CCode {
    let mode = ScalarSpeller.Mode.vector(axis: lanes.id, part: part)
    let kept = values.enumerated().map { number, kept -> CCode in
      """
      const \(kept.type.name) kept\(number) = \(filling.speller.spell(kept.value, mode));
      \(kept.type.store)(value\(number) + (\(i) - lo), kept\(number));
      """
    }
    let offsets = gathers.enumerated().map { number, gather -> CCode in
      var speller = filling.speller
      speller.guards = gather.guards
      let type = speller.offsetType(gather.apart)
      // Of a stride, what a whole vector would reach need not be there where the loop ends within it.
      let isWhole = part == nil || gather.apart.terms[.axis(speller.laneAxis(lanes.id))] == nil
      let near = reach(gather).map { reach in
        "near\(number)[(\(i) - lo) / VL] = \(isWhole ? "mlc_near(to\(number), \(reach))" : "-1");"
      }
      return """
        const \(type.name) to\(number) = \(speller.offsets(gather.apart, mode));
        \(type.store)(at\(number) + (\(i) - lo), to\(number));
        \(near ?? "")
        """
    }
    return (kept + offsets).joined()
  }

  private var pointers: CCode {
    let params = filling.speller.params
    return CCode(
      lines: bases.enumerated().map { number, base in
        "const \(params[base.param].dtype.cStorageType) *const base\(number) = p\(base.param)"
          + " + \(filling.speller.spell(base.fixed));"
      }
    )
  }
}
