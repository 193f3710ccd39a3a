import MLCCore

extension Kernel {
  /// Whether its expressions, indices included, have more than `limit` parts. Takes no longer than `limit` parts do.
  package func isLarger(than limit: Int) -> Bool {
    var left = limit
    for scalar in scalars where !scalar.fits(&left) { return true }
    return false
  }
}

extension Scalar {
  /// Takes its parts off `left`; false when there are more.
  fileprivate func fits(_ left: inout Int) -> Bool {
    left -= 1
    if left < 0 { return false }
    switch self {
    case .constant, .integer, .stage, .accumulator: return true
    case .load(_, let indices): return indices.allSatisfy { $0.fits(&left) }
    case .index(let index, _): return index.fits(&left)
    case .unary(_, let x), .cast(let x, _): return x.fits(&left)
    case .binary(_, let x, let y), .compare(_, let x, let y): return x.fits(&left) && y.fits(&left)
    case .select(let c, let x, let y): return c.fits(&left) && x.fits(&left) && y.fits(&left)
    }
  }
}

extension Index {
  fileprivate func fits(_ left: inout Int) -> Bool {
    left -= 1
    if left < 0 { return false }
    switch self {
    case .dim, .axis: return true
    case .sum(let a, let b): return a.fits(&left) && b.fits(&left)
    case .product(let a, _), .floorDiv(let a, _), .mod(let a, _): return a.fits(&left)
    case .value(let scalar): return scalar.fits(&left)
    }
  }
}
