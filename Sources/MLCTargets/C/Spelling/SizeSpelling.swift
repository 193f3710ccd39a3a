import MLCCore
import MLCKernels

/// How symbolic sizes are spelled in generated code: `s[i]`, by the program's numbering.
package struct SizeSpelling: Sendable {
  let numbers: [String: Int]
  /// Whether each size is widened, so that sums and products of them have 128 bits.
  var isWide = false

  package init(_ program: KernelProgram) {
    let names = program.symbols + program.lateSymbols.map { $0.name }
    numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
  }

  /// A C expression of type `int64_t`, or `__int128`, parenthesised when it is not a literal.
  package func spell(_ dim: Dim) -> String {
    if let value = dim.constant { return "\(value)" }
    let terms = dim.terms.map { term in
      ([term.coefficient == 1 && !term.atoms.isEmpty ? nil : "\(term.coefficient)"] + term.atoms.map(spell))
        .compactMap { $0 }.joined(separator: "*")
    }
    return "(\(terms.joined(separator: "+")))"
  }

  private func spell(_ atom: Dim.Atom) -> String {
    switch atom {
    case .symbol(let name):
      guard let number = numbers[name] else { preconditionFailure("size '\(name)' is not bound by the program") }
      return isWide ? "(__int128)s[\(number)]" : "s[\(number)]"
    case .floorDiv(let a, let b): return "mlc_floor_div(\(spell(a)),\(spell(b)))"
    case .max(let a, let b): return "mlc_max_i64(\(spell(a)),\(spell(b)))"
    case .min(let a, let b): return "mlc_min_i64(\(spell(a)),\(spell(b)))"
    }
  }
}
