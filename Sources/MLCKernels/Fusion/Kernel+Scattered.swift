import MLCCore

extension Kernel {
  /// Whether it calls functions on elements that it reads one by one: neighbours along the last axis of its result come
  /// from different rows, as in a pixel shuffle, or are one element several times, as in a resize. Vectors compute the
  /// functions where elements lie side by side, before or after such a copy.
  var computesScattered: Bool {
    guard case .loopNest(let nest) = body else { return false }
    return nest.stages.contains { stage in
      guard case .store(_, _, let inner, let value) = stage, let last = (nest.axes + inner).last else { return false }
      return value.callsFunction && value.loads.contains { $0.index.last?.divides(last.id) ?? false }
    }
  }
}

extension Index {
  /// Whether the axis occurs in it under a division.
  fileprivate func divides(_ axis: Int) -> Bool {
    switch self {
    case .dim, .axis, .value: false
    case .sum(let a, let b): a.divides(axis) || b.divides(axis)
    case .product(let a, _), .mod(let a, _): a.divides(axis)
    case .floorDiv(let a, _): a.mentions(axis)
    }
  }
}
