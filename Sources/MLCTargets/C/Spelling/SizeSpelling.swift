import MLCCore
import MLCKernels

/// How symbolic sizes are spelled in generated code: `s[i]`, by the program's numbering.
package struct SizeSpelling: Sendable {
  let numbers: [String: Int]
  var arithmetic = Arithmetic.plain

  enum Arithmetic {
    /// In 64 bits.
    case plain
    /// Each size is widened, so that sums and products of them have 128 bits.
    case wide
    /// In 64 bits; what does not fit sets `over`, an `int`.
    case checked
  }

  package init(_ program: KernelProgram) {
    let names = program.symbols + program.lateSymbols.map { $0.name }
    numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
  }

  /// A C expression of type `int64_t`, or `__int128`, parenthesised when it is not a literal.
  package func spell(_ dim: Dim) -> String {
    if let value = dim.constant { return "\(value)" }
    let terms = dim.terms.map { term in
      let factors = [term.coefficient == 1 && !term.atoms.isEmpty ? nil : "\(term.coefficient)"] + term.atoms.map(spell)
      return folded(factors.compactMap { $0 }, "*", "mlc_times")
    }
    return "(\(folded(terms, "+", "mlc_plus")))"
  }

  /// A C condition, in 128 bits: sizes do not keep `requirement`.
  func violation(_ requirement: SizeRequirement) -> String {
    var wide = self
    wide.arithmetic = .wide
    let isReached = requirement.extents.map { "\(wide.spell($0)) > 0" }
    return (isReached + ["\(wide.spell(requirement.value)) < 0"]).joined(separator: " && ")
  }

  private func folded(_ operands: [String], _ sign: String, _ function: String) -> String {
    guard case .checked = arithmetic else { return operands.joined(separator: sign) }
    return operands.dropFirst().reduce(operands[0]) { "\(function)(\($0),\($1),&over)" }
  }

  private func spell(_ atom: Dim.Atom) -> String {
    switch atom {
    case .symbol(let name):
      guard let number = numbers[name] else { preconditionFailure("size '\(name)' is not bound by the program") }
      if case .wide = arithmetic { return "(__int128)s[\(number)]" }
      return "s[\(number)]"
    case .floorDiv(let a, let b): return "mlc_floor_div(\(spell(a)),\(spell(b)))"
    case .max(let a, let b): return "mlc_max_i64(\(spell(a)),\(spell(b)))"
    case .min(let a, let b): return "mlc_min_i64(\(spell(a)),\(spell(b)))"
    }
  }
}
