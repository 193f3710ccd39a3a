import MLCCore

/// Looks for a position of the loops, at sample sizes, where an index lies outside of an extent.
struct PointSearch {
  private let scope: IndexScope, sizes: SizeFacts
  /// Positions tried for each sample: all of them when they are no more.
  private static let limit = 192

  init(_ scope: IndexScope, _ sizes: SizeFacts) { (self.scope, self.sizes) = (scope, sizes) }

  /// `.holds` only when there is one sample, the sizes themselves, and every position was tried.
  func check(_ index: Index, within extent: Dim) -> Verdict {
    var isComplete = sizes.samples.count == 1 && sizes.samples[0].isEmpty
    for sample in sizes.samples {
      guard let limit = extent.evaluate(sample) else { return .unproven("") }
      let named = scope.guards.reduce(index.axes) { $0.union($1.index.axes) }
      guard let (positions, isAll) = positions(of: named.sorted(), sample) else { continue }
      isComplete = isComplete && isAll
      for position in positions {
        guard isReached(position, sample) else { continue }
        guard let value = index.evaluate(position, sample) else { return .unproven("") }
        guard value < 0 || value >= limit else { continue }
        return scope.hasOtherGuards ? .unproven("") : .broken("\(value) of \(limit) for \(spelled(sample))")
      }
    }
    return isComplete ? .holds : .unproven("")
  }

  private func spelled(_ sample: [String: Int]) -> String {
    if sample.isEmpty { return "all sizes" }
    return sample.sorted { $0.key < $1.key }.prefix(6).map { "\($0.key) = \($0.value)" }.joined(separator: ", ")
  }

  /// Positions of the loops: all, or corners and some between; `nil` when a loop around runs over nothing.
  private func positions(of names: [Int], _ sample: [String: Int]) -> (positions: [[Int: Int]], isAll: Bool)? {
    var extents: [Int: Int] = [:]
    for (id, range) in scope.axes {
      guard let high = range.high.evaluate(sample), high >= 0 else { return nil }
      extents[id] = high + 1
    }
    var total = 1
    for name in names { total = min(total * extents[name, default: 1], Self.limit + 1) }
    let isAll = total <= Self.limit
    let count = isAll ? total : Self.limit
    var positions: [[Int: Int]] = []
    for number in 0..<count {
      var (position, rest) = ([Int: Int](), number)
      for (place, name) in names.enumerated() {
        let extent = extents[name, default: 1]
        if isAll {
          position[name] = rest % extent
          rest /= extent
        } else if number < 64 {
          position[name] = number >> (place % 6) & 1 == 0 ? 0 : extent - 1
        } else {
          position[name] = (number &* 7919 &+ place &* 104_729 &* number) % extent
        }
      }
      positions.append(position)
    }
    return (positions, isAll)
  }

  /// Whether the guards let the access happen there.
  private func isReached(_ position: [Int: Int], _ sample: [String: Int]) -> Bool {
    scope.guards.allSatisfy { item in
      guard let value = item.index.evaluate(position, sample) else { return true }
      let (low, high) = (item.low?.evaluate(sample), item.high?.evaluate(sample))
      return value >= low ?? value && value <= high ?? value
    }
  }
}

extension Index {
  /// Its value where loops and sizes are numbers; `nil` when data decides it or a divisor is not positive.
  func evaluate(_ axes: [Int: Int], _ sizes: [String: Int]) -> Int? {
    func divided(_ a: Index, _ d: Dim) -> (quotient: Int, rest: Int)? {
      guard let x = a.evaluate(axes, sizes), let d = d.evaluate(sizes), d > 0 else { return nil }
      let quotient = x / d - (x % d < 0 ? 1 : 0)
      return (quotient, x - quotient * d)
    }
    switch self {
    case .dim(let dim): return dim.evaluate(sizes)
    case .axis(let id): return axes[id]
    case .sum(let a, let b):
      guard let x = a.evaluate(axes, sizes), let y = b.evaluate(axes, sizes) else { return nil }
      return x + y
    case .product(let a, let d):
      guard let x = a.evaluate(axes, sizes), let factor = d.evaluate(sizes) else { return nil }
      return x * factor
    case .floorDiv(let a, let d): return divided(a, d)?.quotient
    case .mod(let a, let d): return divided(a, d)?.rest
    case .value: return nil
    }
  }
}
