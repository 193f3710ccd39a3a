import MLCCore

/// How positions of one shape are found in another shape of the same elements, row-major.
///
/// Dimensions are matched in groups of equal products: `[1, 128, 768]` and `[128, 768]` match as `1·128 ↔ 128` and
/// `768 ↔ 768`. Inside a group a position is the linear index of the one, divided and reduced for the other.
package enum ReshapeMap {
  /// For each dimension of `target`, its index over the indices `axes` into `source`. `nil` when sizes do not match.
  package static func indices(of target: [Dim], from axes: [Index], over source: [Dim]) -> [Index]? {
    guard let groups = groups(source, target) else { return nil }
    var result: [Index] = []
    for (from, to) in groups {
      let wide = to.filter { target[$0] != 1 }
      var linear: Index = .constant(0)
      for dimension in from { linear = linear * source[dimension] + axes[dimension] }
      var stride: Dim = 1
      var found: [Int: Index] = [:]
      for dimension in wide.reversed() {
        let quotient = linear.dividedFloor(by: stride)
        found[dimension] = dimension == wide.first ? quotient : quotient.modulo(target[dimension])
        stride = stride * target[dimension]
      }
      for dimension in to { result.append(found[dimension] ?? .constant(0)) }
    }
    return result
  }

  /// Consecutive dimensions of both shapes whose extents multiply to the same size, as short as possible.
  private static func groups(_ a: [Dim], _ b: [Dim]) -> [(a: [Int], b: [Int])]? {
    guard a.reduce(1, *) == b.reduce(1, *) else { return nil }
    var groups: [(a: [Int], b: [Int])] = []
    var (i, j) = (0, 0)
    while i < a.count || j < b.count {
      var group: (a: [Int], b: [Int]) = ([], [])
      var (left, right): (Dim, Dim) = (1, 1)
      repeat {
        if left == right || j == b.count || (i < a.count && precedes(left, right)) {
          guard i < a.count else {
            guard j < b.count else { return nil }
            right = right * b[j]
            group.b.append(j)
            j += 1
            continue
          }
          left = left * a[i]
          group.a.append(i)
          i += 1
        } else {
          right = right * b[j]
          group.b.append(j)
          j += 1
        }
      } while left != right && (i < a.count || j < b.count)
      groups.append(group)
    }
    return groups
  }

  /// Whether `left` still has to grow to reach `right`.
  private static func precedes(_ left: Dim, _ right: Dim) -> Bool {
    if let x = left.constant, let y = right.constant { return x < y }
    return right.exactQuotient(left) != nil
  }
}
