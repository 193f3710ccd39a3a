import MLCCore

/// From the least to the greatest value of an index, both included.
struct IndexRange: Hashable, Sendable {
  var low: Dim, high: Dim

  static func + (a: IndexRange, b: IndexRange) -> IndexRange { IndexRange(low: a.low + b.low, high: a.high + b.high) }
}

/// The loops around an access with the positions that each takes, and what guards say of indices.
struct IndexScope: Sendable {
  var axes: [Int: IndexRange]
  var guards: [IndexGuard] = []
  /// Whether conditions of another kind guard it too, which only the run decides.
  var hasOtherGuards = false
  /// Sizes that are at least 1 wherever the loops run at all.
  var positive: Set<String> = []

  init(_ loops: [Axis], _ sizes: SizeFacts) {
    axes = [:]
    for axis in loops {
      let extent = sizes.resolved(axis.extent)
      axes[axis.id] = IndexRange(low: 0, high: extent - 1)
      guard extent.terms.count == 1, extent.terms[0].coefficient > 0 else { continue }
      for case .symbol(let name) in extent.terms[0].atoms { positive.insert(name) }
    }
  }

  /// The range of `index`, over `axes`; `nil` when it is not known or data decides it.
  func range(_ index: Index, _ sizes: SizeFacts) -> IndexRange? {
    if let affine = index.affine { return range(affine, sizes) }
    switch index {
    case .sum(let a, let b):
      guard let x = range(a, sizes), let y = range(b, sizes) else { return nil }
      return x + y
    case .product(let a, let factor):
      guard let x = range(a, sizes) else { return nil }
      return scaled(x, sizes.resolved(factor), sizes)
    case .floorDiv(let a, let divisor):
      let divisor = sizes.resolved(divisor)
      guard let x = range(a, sizes), sizes.isNonNegative(divisor - 1, positive: positive) else { return nil }
      return IndexRange(low: x.low.floorDiv(divisor), high: x.high.floorDiv(divisor))
    case .mod(let a, let divisor):
      let divisor = sizes.resolved(divisor)
      guard sizes.isNonNegative(divisor - 1, positive: positive) else { return nil }
      if let x = range(a, sizes), isWithin(x, divisor, sizes) { return x }
      return IndexRange(low: 0, high: divisor - 1)
    case .dim, .axis, .value: return nil
    }
  }

  /// Whether `range` lies in `0 ..< extent`.
  func isWithin(_ range: IndexRange, _ extent: Dim, _ sizes: SizeFacts) -> Bool {
    sizes.isNonNegative(range.low, positive: positive)
      && sizes.isNonNegative(extent - 1 - range.high, positive: positive)
  }

  /// What must be at least zero for an affine index that nothing guards to stay in `0 ..< extent`; `nil` for others.
  func needs(_ index: Index, within extent: Dim, _ sizes: SizeFacts) -> [SizeRequirement]? {
    guard guards.isEmpty, !hasOtherGuards, let affine = index.affine, let range = range(affine, sizes) else {
      return nil
    }
    let loops = axes.values.map { $0.high + 1 }.filter { $0.constant.map { $0 < 1 } ?? true }
    let extents = Set(loops).sorted { $0.description < $1.description }
    return [range.low, extent - 1 - range.high].filter { !sizes.isNonNegative($0, positive: positive) }
      .map { SizeRequirement($0, extents: extents) }
  }

  private func range(_ index: AffineIndex, _ sizes: SizeFacts) -> IndexRange? {
    let rest = sizes.resolved(index.rest)
    var sum = IndexRange(low: rest, high: rest)
    for (id, coefficient) in index.coefficients {
      guard let axis = axes[id], let part = scaled(axis, sizes.resolved(coefficient), sizes) else { return nil }
      sum = sum + part
    }
    return sum
  }

  private func scaled(_ range: IndexRange, _ factor: Dim, _ sizes: SizeFacts) -> IndexRange? {
    if sizes.isNonNegative(factor, positive: positive) {
      return IndexRange(low: range.low * factor, high: range.high * factor)
    }
    guard sizes.isNonNegative(-factor, positive: positive) else { return nil }
    return IndexRange(low: range.high * factor, high: range.low * factor)
  }
}
