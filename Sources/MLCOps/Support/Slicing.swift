import MLCCore
import MLCGraph

/// One end of a slice, as far as it is known.
package enum SliceBound: Sendable {
  /// As far as the axis goes.
  case open
  case at(Dim)
  case unknown
}

/// The positions that `begin..<end` by `stride` (not 0) takes of an axis, `nil` being open: numpy's rules.
package func slicePositions(_ extent: Int, _ begin: Int?, _ end: Int?, _ stride: Int) -> [Int] {
  func wrap(_ index: Int) -> Int { index < 0 ? index + extent : index }
  if stride > 0 {
    let low = max(0, min(extent, wrap(begin ?? 0)))
    let high = max(0, min(extent, end.map(wrap) ?? extent))
    return Array(Swift.stride(from: low, to: high, by: stride))
  }
  let low = max(-1, min(extent - 1, begin.map(wrap) ?? extent - 1))
  let high = max(-1, min(extent - 1, end.map(wrap) ?? -1))
  return Array(Swift.stride(from: low, to: high, by: stride))
}

/// How many positions that are, on an axis of extent `n`; `nil` when it cannot be said.
package func sliceExtent(_ n: Dim, _ begin: SliceBound, _ end: SliceBound, _ stride: Int) -> Dim? {
  let step = Dim(stride == Int.min ? Int.max : abs(stride))
  if stride > 0 {
    guard let low = resolved(begin, n, open: 0, last: n), let high = resolved(end, n, open: n, last: n) else {
      return nil
    }
    let top = Dim.smallest(high, n)
    let gap = (low.lowerBound ?? -1) >= 0 ? top - low : Dim.smallest(Dim.largest(top, 0), top - low)
    return Dim.largest(gap.ceilDiv(step), 0)
  }
  guard let low = resolved(begin, n, open: n - 1, last: n - 1),
    let high = resolved(end, n, open: -1, last: n - 1)
  else { return nil }
  let gap = Dim.smallest(low, n - 1) - Dim.largest(high, -1)
  return Dim.largest(gap.ceilDiv(step), 0)
}

/// A bound counted from the front. Numbers too large for any extent become `last`.
private func resolved(_ bound: SliceBound, _ n: Dim, open: Dim, last: Dim) -> Dim? {
  switch bound {
  case .open: return open
  case .unknown: return nil
  case .at(let dim):
    if let number = dim.constant {
      if number >= Int(Int32.max) { return last }
      return number < 0 ? (number <= Int(Int32.min) ? (n.constant.map { Dim(number) + Dim($0) } ?? -1) : n + dim) : dim
    }
    if dim.lowerBound != nil { return dim }
    // As far back as the axis is long, which is the front of an empty axis too.
    if n + dim == 0 { return 0 }
    return (-dim - 1).lowerBound.map { $0 >= 0 } == true ? n + dim : nil
  }
}
