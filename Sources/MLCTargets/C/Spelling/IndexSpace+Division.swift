import MLCCore
import MLCKernels

extension IndexSpace {
  /// ⌊x / d⌋: multiples of `d` leave the floor, and what is left vanishes when it is known to be less than `d`. The
  /// floor of a remainder by a multiple of `d` becomes a remainder of the floor.
  func floorDiv(_ x: LinearIndex, _ d: Dim) -> LinearIndex {
    if d == 1 { return x }
    let (whole, rest) = split(x, d)
    if isWithin(rest, d) || (rest.terms.isEmpty && rest.rest == 0) { return whole }
    if rest.terms.isEmpty { return whole + LinearIndex([:], rest.rest.floorDiv(d)) }
    if rest.terms.count == 1, rest.rest == 0, case (.floorDiv(let y, let e), 1)? = rest.terms.first {
      return whole + floorDiv(y, d * e)
    }
    if rest.terms.count == 1, rest.rest == 0, case (.mod(let y, let e), 1)? = rest.terms.first,
      let quotient = e.exactQuotient(d)
    {
      return whole + mod(floorDiv(y, d), quotient)
    }
    return whole + LinearIndex([.floorDiv(rest, d): 1])
  }

  /// `x - ⌊x / d⌋·d`.
  func mod(_ x: LinearIndex, _ d: Dim) -> LinearIndex {
    if d == 1 { return LinearIndex() }
    let (_, rest) = split(x, d)
    if isWithin(rest, d) || (rest.terms.isEmpty && rest.rest == 0) { return rest }
    if rest.terms.isEmpty { return LinearIndex([:], rest.rest.mod(d)) }
    if rest.terms.count == 1, rest.rest == 0, case (.mod(let y, let e), 1)? = rest.terms.first,
      e.exactQuotient(d) != nil
    {
      return mod(y, d)
    }
    return LinearIndex([.mod(rest, d): 1])
  }

  /// `x = whole·d + rest`, as much of it in `whole` as divides exactly.
  private func split(_ x: LinearIndex, _ d: Dim) -> (whole: LinearIndex, rest: LinearIndex) {
    var whole = LinearIndex()
    var rest = LinearIndex()
    for (atom, factor) in x.terms {
      if let quotient = factor.exactQuotient(d) { whole.terms[atom] = quotient } else { rest.terms[atom] = factor }
    }
    whole.rest = x.rest.floorDiv(d)
    if whole.rest.terms.contains(where: { $0.atoms.contains { if case .floorDiv = $0 { true } else { false } } }) {
      whole.rest = 0
    }
    rest.rest = x.rest - whole.rest * d
    return (whole, rest)
  }

  /// Joins `⌊x/d⌋·d·f + (x mod d)·f` to `x·f`.
  func recombined(_ x: LinearIndex) -> LinearIndex {
    for (atom, factor) in x.terms {
      guard case .mod(let inner, let d) = atom else { continue }
      let whole = floorDiv(inner, d)
      guard whole.rest == 0, whole.terms.count == 1, case (let quotient, 1)? = whole.terms.first,
        x.terms[quotient] == factor * d
      else { continue }
      var y = x
      y.terms[atom] = nil
      y.terms[quotient] = nil
      return recombined(y + inner * factor)
    }
    return x
  }
}
