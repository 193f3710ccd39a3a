import MLCCore
import MLCKernels

extension ScalarSpeller {
  /// Where an element of parameter `param` lies.
  package func address(_ param: Int, _ indices: [Index]) -> LinearIndex {
    space.address(indices.map { $0.substituting(substitutions) }, in: params[param])
  }

  /// An index as a C expression of type `int64_t`.
  package func spell(_ index: Index) -> String { spell(space.linear(index.substituting(substitutions))) }

  package func spell(_ x: LinearIndex) -> String {
    var parts = x.terms.map { atom, factor in
      factor == 1 ? spell(atom) : "\(spell(atom))*\(parenthesised(factor))"
    }
    parts.sort()
    if x.rest != 0 || parts.isEmpty { parts.append(sizes.spell(x.rest)) }
    return parts.count == 1 ? parts[0] : "(\(parts.joined(separator: " + ")))"
  }

  private func parenthesised(_ dim: Dim) -> String {
    let text = sizes.spell(dim)
    return text.hasPrefix("-") ? "(\(text))" : text
  }

  private func spell(_ atom: LinearIndex.Atom) -> String {
    switch atom {
    case .axis(let id):
      guard let name = axes[id] else { preconditionFailure("axis \(id) has no name") }
      return name
    case .floorDiv(let x, let d):
      if let d = d.constant, d > 0, space.isNonNegative(x) { return "(int64_t)((uint64_t)\(spell(x))/\(d))" }
      return "mlc_floor_div(\(spell(x)), \(sizes.spell(d)))"
    case .mod(let x, let d):
      if let d = d.constant, d > 0, space.isNonNegative(x) { return "(int64_t)((uint64_t)\(spell(x))%\(d))" }
      return "mlc_floor_mod(\(spell(x)), \(sizes.spell(d)))"
    case .value(let s): return "(int64_t)\(spell(s))"
    case .clamped(let x, let extent): return "mlc_index(\(spell(x)), \(sizes.spell(extent)), \(fault))"
    }
  }

  /// Whether a load is of an existing element wherever the loops are. Indices that data decides are not, unless what
  /// they are clamped to is enough.
  func isInRange(_ param: Int, _ indices: [Index], orClamped: Bool = false) -> Bool {
    zip(indices, params[param].shape).allSatisfy { index, extent in
      let x = space.linear(index.substituting(substitutions))
      return x.hasValue ? orClamped : space.isWithin(x, extent)
    }
  }

  /// The extents that data-decided indices are clamped to and that may be zero.
  func possiblyEmpty(_ param: Int, _ indices: [Index]) -> [Dim] {
    zip(indices, params[param].shape).compactMap { index, extent in
      guard space.linear(index).hasValue, (extent.constant ?? 0) <= 0 else { return nil }
      return extent
    }
  }
}
