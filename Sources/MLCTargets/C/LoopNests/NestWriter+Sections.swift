import MLCCore
import MLCKernels

// Loops whose positions guards tell apart, as padding does the borders of a row: they fall into sections in each of
// which the guards are decided, and vectors run along those that read memory forward.

/// Positions `from ..< to` of a loop, and what is stored there.
struct LoopSection {
  var from: Dim, to: Dim
  var stages: [LoopNest.Stage]
}

/// A comparison that says on which side of `cut` the position of a loop is.
private struct PositionTest {
  var cut: Dim
  /// Whether it holds from the cut on, or before it.
  var holdsAfter: Bool

  init?(_ s: Scalar, _ axis: Int, _ space: IndexSpace) {
    guard case .compare(let comparison, .index(let index, _), let bound) = s,
      comparison == .less || comparison == .greaterEqual
    else { return nil }
    let position = space.linear(index)
    guard position.terms == [.axis(axis): 1] else { return nil }
    switch bound {
    case .integer(let number, _): cut = Dim(number) - position.rest
    case .index(.dim(let extent), _): cut = extent - position.rest
    default: return nil
    }
    holdsAfter = comparison == .greaterEqual
  }
}

extension NestWriter {
  private static let mostCuts = 10

  /// The sections of `axis`, where vectors run along one of them; `nil` where they do not, or sizes do not order them.
  func sections(_ axis: Axis) -> [LoopSection]? {
    decidedSections(axis).flatMap { $0.contains { canRun($0, axis) } ? $0 : nil }
  }

  /// The sections of `axis`, with what guards decide in each; `nil` where there are none, or sizes do not order them.
  func decidedSections(_ axis: Axis) -> [LoopSection]? {
    guard nest.stages.allSatisfy({ if case .store(_, _, [], _) = $0 { true } else { false } }) else { return nil }
    var cuts: [Dim] = [0, axis.extent]
    for stage in nest.stages {
      stage.value.visitNodes { s in
        guard let test = PositionTest(s, axis.id, speller.space), !cuts.contains(test.cut) else { return }
        cuts.append(test.cut)
      }
    }
    guard (3...Self.mostCuts).contains(cuts.count), let ordered = Self.ordered(cuts) else { return nil }
    let bounds = ordered.filter { $0.isWithin(0, axis.extent) }
    return zip(bounds, bounds.dropFirst()).map { from, to in
      LoopSection(from: from, to: to, stages: nest.stages.map { $0.changingValue { decided($0, axis, from, to) } })
    }
  }

  /// `cuts` from the least to the greatest; `nil` where they are sizes of which either could be.
  private static func ordered(_ cuts: [Dim]) -> [Dim]? {
    func rank(_ cut: Dim) -> Int { cuts.filter { (cut - $0).isNonNegative }.count }
    let ordered = cuts.sorted { rank($0) < rank($1) }
    let isOrdered = zip(ordered, ordered.dropFirst()).allSatisfy { ($1 - $0).isNonNegative }
    return isOrdered ? ordered : nil
  }

  /// `value` for positions `from ..< to`, which no test tells apart.
  private func decided(_ value: Scalar, _ axis: Axis, _ from: Dim, _ to: Dim) -> Scalar {
    value.rewritten { s in
      if let test = PositionTest(s, axis.id, speller.space) {
        let isAfter = (from - test.cut).isNonNegative
        return .integer(isAfter == test.holdsAfter ? 1 : 0, .bool)
      }
      switch s {
      case .binary(.logicalAnd, .integer(let known, .bool), let other),
        .binary(.logicalAnd, let other, .integer(let known, .bool)):
        return known == 0 ? .integer(0, .bool) : other
      case .select(.integer(let known, .bool), let x, let y): return known == 0 ? y : x
      default: return s
      }
    }
  }

  private func canRun(_ section: LoopSection, _ axis: Axis) -> Bool {
    var writer = self
    writer.nest.stages = section.stages
    return writer.allows(axis)
  }

  /// The positions of `section` among `lo ..< hi`.
  func section(_ section: LoopSection, _ axis: Axis) -> CCode {
    var writer = self
    writer.nest.stages = section.stages
    let i = "i\(axis.id)"
    let (from, to) = (speller.sizes.spell(section.from), speller.sizes.spell(section.to))
    let range: CCode = "const int64_t from = mlc_max_i64(lo, \(from)), to = mlc_min_i64(hi, \(to));"
    guard canRun(section, axis) else {
      let stores = nest.stages.indices.map { writer.storeOne($0) }.joined()
      return .block(range + .block("for (int64_t \(i) = from; \(i) < to; \(i)++)", stores))
    }
    return .block(
      """
      \(range)
      int64_t \(i) = from;
      for (; \(i) + 4 * VL <= to; \(i) += 4 * VL) {
        \(writer.stages(axis, 4, nil))
      }
      for (; \(i) + VL <= to; \(i) += VL) {
        \(writer.stages(axis, 1, nil))
      }
      if (\(i) < to) {
        const int64_t part = to - \(i);
        \(writer.stages(axis, 1, "part"))
      }
      """
    )
  }

  /// Stage `k`, a store without loops, for one position.
  private func storeOne(_ k: Int) -> CCode {
    guard case .store(let p, let index, _, let value) = nest.stages[k] else { return [] }
    return CCode(speller.store(p, index, value))
  }
}

extension Dim {
  /// Whether it lies in `low ... high` whatever the sizes are.
  fileprivate func isWithin(_ low: Dim, _ high: Dim) -> Bool {
    (self - low).isNonNegative && (high - self).isNonNegative
  }
}
