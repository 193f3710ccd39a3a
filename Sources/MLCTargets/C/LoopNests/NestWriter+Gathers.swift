import MLCCore
import MLCKernels

// Stores along a loop of values whose loads lie apart, where vectors compute what is around them. Where other loops
// read at the same places, as channels of a picture do, what is the same for all of them is computed for a stretch of
// the loop and kept in buffers.

extension NestWriter {
  /// Turns of other loops from which on what they share is worth a buffer.
  private static let leastRepeats = 4

  func gathers() -> NestPart? {
    guard nest.stages.allSatisfy({ if case .store(_, _, [], _) = $0 { true } else { false } }),
      !nest.axes.contains(where: { $0.extent == 0 })
    else { return nil }
    var writer = self
    writer.speller.takesGathers = true
    guard let axis = nest.axes.last(where: { writer.allows($0) }) else { return nil }
    writer.nest.stages = nest.stages.map { $0.changingValue { writer.choosingUniformly($0, axis.id) } }
    var found = GatherSearch(writer.speller, axis.id)
    for stage in writer.nest.stages { found.visit(stage.value) }
    if found.gathers.isEmpty { return nil }
    let repeats = nest.axes.filter { other in other != axis && !found.gathers.contains { $0.mentions(other.id) } }
    let turns = repeats.reduce(1) { Swift.min($0 * TaskPlan.extent($1), 1 << 40) }
    if turns >= Self.leastRepeats { return PreparedGathers(writer, axis, repeats).part() }
    let work = nest.stages.reduce(0) { $0 + $1.value.arithmetic }
    guard work >= 2 * found.gathers.count + 2 else { return nil }
    let plan = TaskPlan(nest.axes, hot: axis, cost: nest.positionCost, multiple: lanes * 4)
    let (hoisted, uniform) = writer.hoistingUniform(axis)
    return part(plan, uniform + hoisted.outerVector(axis, plan))
  }
}

extension NestWriter {
  /// `value` where what is equal in all lanes of a condition is asked first, so that lanes have the rest to tell apart.
  private func choosingUniformly(_ value: Scalar, _ axis: Int) -> Scalar {
    value.rewritten { s in
      guard case .select(let condition, let x, let y) = s else { return s }
      let parts = condition.conjunction
      let (uniform, varying) = (
        parts.filter { speller.isUniform($0, axis) }, parts.filter { !speller.isUniform($0, axis) }
      )
      guard let all = uniform.conjoined, let each = varying.conjoined else { return s }
      return .select(all, .select(each, x, y), y)
    }
  }
}

extension [Scalar] {
  /// Whether all of them hold; `nil` for none.
  fileprivate var conjoined: Scalar? { first.map { dropFirst().reduce($0) { .binary(.logicalAnd, $0, $1) } } }
}

/// The gathers in values that are spelled as vectors along an axis.
struct GatherSearch {
  private var speller: ScalarSpeller
  private let axis: Int
  private var isChosen = false
  private(set) var gathers: [Gather] = []
  /// Where they begin, but for those that a condition chooses.
  private(set) var bases: [GatherBase] = []

  init(_ speller: ScalarSpeller, _ axis: Int) { (self.speller, self.axis) = (speller, axis) }

  mutating func visit(_ s: Scalar) {
    if speller.isUniform(s, axis) { return }
    switch s {
    case .load(let p, let indices): visit(load: p, speller.address(p, indices))
    case .unary(_, let x), .cast(let x, _): visit(x)
    case .binary(_, let x, let y), .compare(_, let x, let y):
      visit(x)
      visit(y)
    case .select(let c, let x, let y):
      let outer = (speller, isChosen)
      visit(c)
      isChosen = true
      if speller.isUniform(c, axis) {
        visit(x)
        visit(y)
      } else {
        speller = outer.0.under(c)
        visit(x)
        speller = outer.0.under(.unary(.logicalNot, c))
        visit(y)
      }
      (speller, isChosen) = outer
    case .constant, .integer, .index, .stage, .accumulator: break
    }
  }

  private mutating func visit(load p: Int, _ place: LinearIndex) {
    if speller.isContiguous(place, axis) { return }
    let (fixed, apart) = speller.split(place, axis)
    let gather = Gather(apart: apart, guards: speller.guards)
    if !gathers.contains(gather) { gathers.append(gather) }
    let base = GatherBase(param: p, fixed: fixed)
    if !isChosen, !fixed.mentions(speller.laneAxis(axis)), !bases.contains(base) { bases.append(base) }
  }
}

extension Gather {
  func mentions(_ axis: Int) -> Bool { apart.mentions(axis) || guards.contains { $0.mentions(axis) } }
}

extension Scalar {
  /// Roughly how many instructions it takes but for what it loads.
  var arithmetic: Int {
    switch self {
    case .constant, .integer, .load, .index, .stage, .accumulator: 0
    case .unary(.neg, let x), .unary(.abs, let x), .unary(.logicalNot, let x), .cast(let x, _): 1 + x.arithmetic
    case .unary(_, let x): 4 + x.arithmetic
    case .binary(_, let x, let y), .compare(_, let x, let y): 1 + x.arithmetic + y.arithmetic
    case .select(let c, let x, let y): 1 + c.arithmetic + x.arithmetic + y.arithmetic
    }
  }
}
