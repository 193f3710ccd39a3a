import MLCCore
import MLCGraph
import MLCOps

/// What operators require of the sizes that the inputs bind: inference lets pass what only an open size may break.
///
/// On one side of a branch nothing is required, since the condition may keep sizes that do not fit away.
extension LoweringContext {
  /// Requires that `a` equals `b`.
  mutating func requireEqual(_ a: Dim, _ b: Dim) {
    if a != b { require(SizeRequirement.equality(a, b)) }
  }

  /// Requires that `extents` equal `others`, as far as both go.
  mutating func requireEqual(_ extents: some Sequence<Dim>, _ others: some Sequence<Dim>) {
    for (a, b) in zip(extents, others) { requireEqual(a, b) }
  }

  /// Requires that `extent` is no less than `least`, wherever each of `results` has elements.
  mutating func requireAtLeast(_ least: Dim, _ extent: Dim, whereThereAre results: [Dim] = []) {
    require([SizeRequirement(extent - least, extents: results)])
  }

  /// Requires that `extent` divides into `count` parts of equal length.
  mutating func requireMultiple(_ extent: Dim, of count: Int) {
    if count != 1 { requireEqual(extent.floorDiv(Dim(count)) * Dim(count), extent) }
  }

  /// Requires that each of the inputs `names` that is there has the extents `shape`.
  mutating func requireShape(_ shape: [Dim], of names: String...) {
    for name in names {
      if let fact = optionalFact(name) { requireEqual(fact.shape, shape) }
    }
  }

  /// Requires that `own` broadcasts to `shape`: aligned at the last axis, each extent is 1 or the shape's.
  mutating func requireBroadcast(_ own: [Dim], to shape: [Dim]) {
    for (extent, target) in zip(own.reversed(), shape.reversed()) where extent != target && extent != 1 {
      requireEqual((extent - 1) * (target - extent), 0)
    }
  }

  /// Requires that `window` fits `spatial`, the extents that it slides over, with its padding.
  mutating func requireRoom(for window: SpatialWindow, in spatial: [Dim]) {
    for (axis, extent) in spatial.enumerated() {
      requireAtLeast(1, window.kernel[axis])
      if window.padType.hasPrefix("same") { continue }
      let padding = window.padding(axis, input: extent)
      requireAtLeast(window.dilated(axis), extent + padding.low + padding.high)
    }
  }

  /// Requires that `condition`, 0 or 1, is 1; false where the inputs' sizes alone do not decide, or are not asked.
  mutating func requireOfSizes(_ condition: Dim) -> Bool {
    guard nesting == 0, condition.symbols.isSubset(of: program.symbols) else { return false }
    requireAtLeast(1, condition)
    return true
  }

  private mutating func require(_ items: [SizeRequirement]) {
    if nesting > 0 { return }
    for item in items where item.value.lowerBound.map({ $0 < 0 }) ?? true {
      let symbols = item.symbols
      guard !symbols.isEmpty, symbols.isSubset(of: program.symbols), required.insert(item).inserted else { continue }
      program.requirements.append(item)
    }
    check(items.filter { !$0.symbols.isSubset(of: program.symbols) })
  }

  /// Refuses late sizes that do not keep `items` as soon as all of them are set.
  private mutating func check(_ items: [SizeRequirement]) {
    if items.isEmpty { return }
    let symbols = items.reduce(into: Set<String>()) { $0.formUnion($1.symbols) }.subtracting(program.symbols)
    let late = Set(program.lateSymbols.map(\.name))
    let isOpen = items.contains { !required.contains($0) && $0.value.lowerBound.map { $0 < 0 } ?? true }
    guard symbols.isSubset(of: late), isOpen else { return }
    required.formUnion(items)
    insert(.checkSizes(items), behindSizes: symbols)
  }
}
