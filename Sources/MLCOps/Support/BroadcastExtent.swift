import MLCCore

extension Dim {
  /// What extents broadcast to of which each is 1 or the same as the others: the largest, and none where one is none.
  package static func broadcast(_ a: Dim, _ b: Dim) -> Dim {
    let (left, right) = (a.broadcastOperands, b.broadcastOperands)
    // A result beside one of its own operands stays as it is.
    if right.isSubset(of: left) { return a }
    if left.isSubset(of: right) { return b }
    return broadcast(left.union(right).sorted { $0.description < $1.description })
  }

  private static func broadcast(_ extents: [Dim]) -> Dim {
    extents.dropFirst().reduce(extents[0], largest) * extents.reduce(1, smallest)
  }

  /// The extents that this is the broadcast of, or this alone.
  private var broadcastOperands: Set<Dim> {
    guard terms.count == 1, terms[0].coefficient == 1 else { return [self] }
    let leaves = terms[0].atoms.reduce(into: Set<Dim>()) { $0.formUnion(Dim($1).extremes) }.subtracting([1])
    let isBroadcast = !leaves.isEmpty && Dim.broadcast(leaves.sorted { $0.description < $1.description }) == self
    return isBroadcast ? leaves : [self]
  }

  /// What a maximum or minimum, or one of such, is taken of.
  private var extremes: Set<Dim> {
    guard terms.count == 1, terms[0].coefficient == 1, terms[0].atoms.count == 1 else { return [self] }
    switch terms[0].atoms[0] {
    case .max(let a, let b), .min(let a, let b): return a.extremes.union(b.extremes)
    case .symbol, .floorDiv: return [self]
    }
  }
}
