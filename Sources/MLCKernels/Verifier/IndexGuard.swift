import MLCCore

/// What a condition says of an index: `low <= index <= high`, as far as it says so.
struct IndexGuard: Sendable {
  var index: Index
  var low: Dim?, high: Dim?

  /// The guards of a conjunction of comparisons of indices with sizes; `nil` when some of it is anything else.
  static func conjuncts(of condition: Scalar) -> [IndexGuard]? {
    switch condition {
    case .binary(.logicalAnd, let a, let b):
      guard let x = conjuncts(of: a), let y = conjuncts(of: b) else { return nil }
      return x + y
    case .compare(let comparison, .index(let index, _), let limit):
      guard let limit = limit.knownSize, index.values.isEmpty else { return nil }
      switch comparison {
      case .greaterEqual: return [IndexGuard(index: index, low: limit)]
      case .greater: return [IndexGuard(index: index, low: limit + 1)]
      case .less: return [IndexGuard(index: index, high: limit - 1)]
      case .lessEqual: return [IndexGuard(index: index, high: limit)]
      case .equal: return [IndexGuard(index: index, low: limit, high: limit)]
      case .notEqual: return nil
      }
    default: return nil
    }
  }
}

extension Scalar {
  /// The size that this is.
  fileprivate var knownSize: Dim? {
    switch self {
    case .integer(let number, _): Dim(number)
    case .index(.dim(let dim), _): dim
    default: nil
    }
  }
}

extension IndexScope {
  /// Whether guards and loops together keep `index` in `0 ..< extent`.
  func keeps(_ index: Index, within extent: Dim, _ sizes: SizeFacts) -> Bool {
    if let plain = range(index, sizes), isWithin(plain, extent, sizes) { return true }
    if guards.isEmpty { return false }
    if let refined = refined(sizes).range(index, sizes), isWithin(refined, extent, sizes) { return true }
    return guardedRange(index, sizes).map { isWithin($0, extent, sizes) } ?? false
  }

  /// The loops at the positions that guards on a single loop leave.
  private func refined(_ sizes: SizeFacts) -> IndexScope {
    var scope = self
    for item in guards {
      guard let affine = item.index.affine, affine.coefficients.count == 1,
        let (id, factor) = affine.coefficients.first, factor == 1, axes[id] != nil
      else { continue }
      if let low = item.low { scope.axes[id]!.low = sizes.resolved(low - affine.rest) }
      if let high = item.high { scope.axes[id]!.high = sizes.resolved(high - affine.rest) }
    }
    return scope
  }

  /// The range of an index that is k times a guarded one, and a size: k is 1 or −1.
  private func guardedRange(_ index: Index, _ sizes: SizeFacts) -> IndexRange? {
    var (low, high): (Dim?, Dim?) = (nil, nil)
    let plain = range(index, sizes)
    for item in guards {
      guard let (isTurned, rest) = difference(index, item.index) else { continue }
      let (least, most) = isTurned ? (item.high.map { -$0 }, item.low.map { -$0 }) : (item.low, item.high)
      if let least { low = sizes.resolved(least + rest) }
      if let most { high = sizes.resolved(most + rest) }
    }
    guard low != nil || high != nil, let least = low ?? plain?.low, let most = high ?? plain?.high else { return nil }
    return IndexRange(low: least, high: most)
  }

  /// `index` as ±`other` and a size.
  private func difference(_ index: Index, _ other: Index) -> (isTurned: Bool, rest: Dim)? {
    if index == other { return (false, 0) }
    guard let x = index.affine, let y = other.affine else { return nil }
    if x.coefficients == y.coefficients { return (false, x.rest - y.rest) }
    if x.coefficients == y.coefficients.mapValues({ -$0 }) { return (true, x.rest + y.rest) }
    return nil
  }
}
