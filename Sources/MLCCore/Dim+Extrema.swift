extension Dim {
  /// The greatest and the least of two.
  ///
  /// However often these are nested, each operand stands once, and operands of known distance not at all: `max` is
  /// associative, commutative and idempotent, absorbs a `min` of one of its operands, and a number that all operands
  /// have more stands outside.
  package static func max(_ a: Dim, _ b: Dim) -> Dim { Extremum.max.of(a, b) }
  package static func min(_ a: Dim, _ b: Dim) -> Dim { Extremum.min.of(a, b) }
}

private enum Extremum {
  case max, min

  func of(_ a: Dim, _ b: Dim) -> Dim {
    var operands: [Dim] = []
    for dim in operandsOf(a) + operandsOf(b) { add(dim, to: &operands) }
    operands = operands.filter { dim in !operands.contains { $0 != dim && absorbs($0, dim) } }
    // A number outside: the terms without names, where they are the same.
    let number = operands.count > 1 && operands.allSatisfy({ $0.number == operands[0].number }) ? operands[0].number : 0
    if number != 0 { operands = operands.map { $0 - Dim(number) } }
    return joined(operands.sorted { $0.description < $1.description }) + Dim(number)
  }

  /// Adds `dim` unless one of `operands` is as far out; those that it outdoes go.
  private func add(_ dim: Dim, to operands: inout [Dim]) {
    for (index, other) in operands.enumerated().reversed() {
      guard let gap = (dim - other).constant else { continue }
      if gap == 0 || (gap < 0) == (self == .max) { return }
      operands.remove(at: index)
    }
    operands.append(dim)
  }

  /// Whether `dim` is an extremum of the other kind that has `operand` among its own: it never lies further out.
  private func absorbs(_ operand: Dim, _ dim: Dim) -> Bool {
    let other: Extremum = self == .max ? .min : .max
    let parts = other.operandsOf(dim)
    return parts.count > 1 && parts.contains(operand)
  }

  /// What `dim` is the extremum of: itself, if it is none. `max(a, b) + 2` is that of `a + 2` and `b + 2`.
  func operandsOf(_ dim: Dim) -> [Dim] {
    let number = dim.number
    let rest = number == 0 ? dim : dim - Dim(number)
    guard rest.terms.count == 1, rest.terms[0].coefficient == 1, rest.terms[0].atoms.count == 1 else { return [dim] }
    switch (self, rest.terms[0].atoms[0]) {
    case (.max, .max(let a, let b)), (.min, .min(let a, let b)):
      return (operandsOf(a) + operandsOf(b)).map { $0 + Dim(number) }
    default: return [dim]
    }
  }

  /// A chain, the first operand outermost.
  private func joined(_ operands: [Dim]) -> Dim {
    operands.dropLast().reversed().reduce(operands.last!) { self == .max ? Dim(.max($1, $0)) : Dim(.min($1, $0)) }
  }
}

extension Dim {
  /// The term without names.
  fileprivate var number: Int { terms.first { $0.atoms.isEmpty }?.coefficient ?? 0 }
}
