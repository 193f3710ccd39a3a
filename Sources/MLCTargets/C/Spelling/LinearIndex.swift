import MLCCore
import MLCKernels

/// `Σ coefficient·atom + rest`: an index, or an address in elements, in the form that the emitters reason about.
package struct LinearIndex: Hashable, Sendable {
  package indirect enum Atom: Hashable, Sendable {
    case axis(Int)
    case floorDiv(LinearIndex, Dim)
    case mod(LinearIndex, Dim)
    /// A number computed from data.
    case value(Scalar)
    /// Forced into `0 ..< extent` as the program runs.
    case clamped(LinearIndex, Dim)
  }
  package var terms: [Atom: Dim]
  package var rest: Dim

  package init(_ terms: [Atom: Dim] = [:], _ rest: Dim = 0) { (self.terms, self.rest) = (terms, rest) }

  package static func + (a: LinearIndex, b: LinearIndex) -> LinearIndex {
    let terms = a.terms.merging(b.terms) { $0 + $1 }
    return LinearIndex(terms.filter { $0.value != 0 }, a.rest + b.rest)
  }
  package static func * (a: LinearIndex, b: Dim) -> LinearIndex {
    b == 0 ? LinearIndex() : LinearIndex(a.terms.mapValues { $0 * b }, a.rest * b)
  }

  /// The factor of `axis` when it appears in no other atom; `nil` when it does.
  package func coefficient(of axis: Int) -> Dim? {
    for atom in terms.keys where atom != .axis(axis) && atom.mentions(axis) { return nil }
    return terms[.axis(axis)] ?? 0
  }
  /// Whether the positions of `axis` from each multiple of `count` up to the next lie beside each other, as they do in
  /// blocks of channels: `axis mod b + (axis / b)·step` for a `b` that `count` divides.
  func isContiguous(along axis: Int, inGroupsOf count: Int) -> Bool {
    var hasLane = false
    for (atom, factor) in terms where atom.mentions(axis) {
      switch atom {
      case .mod(LinearIndex([.axis(axis): 1]), let b):
        guard factor == 1, b.constant.map({ $0.isMultiple(of: count) }) ?? false else { return false }
        hasLane = true
      case .floorDiv(LinearIndex([.axis(axis): 1]), let b):
        guard b.constant.map({ $0.isMultiple(of: count) }) ?? false else { return false }
      default: return false
      }
    }
    return hasLane
  }
  package func mentions(_ axis: Int) -> Bool { terms.keys.contains { $0.mentions(axis) } }
  package var hasValue: Bool { terms.keys.contains { $0.hasValue } }
}

extension LinearIndex.Atom {
  func mentions(_ axis: Int) -> Bool {
    switch self {
    case .axis(let id): id == axis
    case .floorDiv(let x, _), .mod(let x, _), .clamped(let x, _): x.mentions(axis)
    case .value(let s): s.mentions(axis)
    }
  }

  var hasValue: Bool {
    switch self {
    case .axis: false
    case .floorDiv(let x, _), .mod(let x, _): x.hasValue
    case .value, .clamped: true
    }
  }
}

extension Scalar {
  /// Whether any index in it depends on `axis`.
  func mentions(_ axis: Int) -> Bool {
    var found = false
    visitNodes {
      switch $0 {
      case .load(_, let indices): if indices.contains(where: { $0.mentionsDirectly(axis) }) { found = true }
      case .index(let index, _): if index.mentionsDirectly(axis) { found = true }
      default: break
      }
    }
    return found
  }
}

extension Index {
  /// Whether `axis` appears outside `.value`, whose inside `Scalar.visitNodes` visits by itself.
  fileprivate func mentionsDirectly(_ axis: Int) -> Bool {
    switch self {
    case .dim: false
    case .axis(let id): id == axis
    case .sum(let a, let b): a.mentionsDirectly(axis) || b.mentionsDirectly(axis)
    case .product(let a, _), .floorDiv(let a, _), .mod(let a, _): a.mentionsDirectly(axis)
    case .value: false
    }
  }
}
