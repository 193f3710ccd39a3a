import MLCCore

/// A code generator for one family of devices. It knows loops and scalars, not operators.
package protocol Target: Sendable {
  static var family: String { get }
  init(_ device: DeviceDescription) throws(Diagnostic)
  /// `nil` when the kernel can be emitted; otherwise why not.
  func obstacle(to kernel: Kernel, in program: KernelProgram) -> Diagnostic?
  /// The code of one kernel, and the constants it wants packed.
  func emit(_ kernel: Kernel, in program: KernelProgram) throws(Diagnostic) -> EmittedKernel
}

/// What a target makes of one kernel.
package struct EmittedKernel: Sendable {
  /// `mlc_f32_conv_relu__x86_64_v4_14x32`: everything a reader of a profile wants to know.
  package var symbol: String
  /// Definitions: one function `static void SYMBOL(const mlc_frame *, void *const *, char *, int64_t, int64_t)` and the
  /// helpers it needs. `SYMBOL` is spelled `$symbol` so that equal code can be shared between kernels.
  package var source: String
  /// How many tasks it divides into: a C expression over `s[i]`, the sizes.
  package var tasks: String
  /// Parameters whose constant is replaced by a packed form, by position.
  package var packed: [Int: Tensor]
  /// Bytes of scratch each worker needs.
  package var scratchBytes: Int

  package init(symbol: String, source: String, tasks: String, packed: [Int: Tensor] = [:], scratchBytes: Int = 0) {
    (self.symbol, self.source, self.tasks) = (symbol, source, tasks)
    (self.packed, self.scratchBytes) = (packed, scratchBytes)
  }
}

/// How symbolic sizes are spelled in generated code: `s[i]`, by the program's numbering.
package struct SizeSpelling: Sendable {
  let numbers: [String: Int]
  package init(_ program: KernelProgram) {
    let names = program.symbols + program.lateSymbols.map { $0.name }
    numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
  }

  /// A C expression of type `int64_t`, parenthesised when it is not a literal.
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
      return "s[\(number)]"
    case .floorDiv(let a, let b): return "mlc_floor_div(\(spell(a)),\(spell(b)))"
    case .max(let a, let b): return "mlc_max_i64(\(spell(a)),\(spell(b)))"
    case .min(let a, let b): return "mlc_min_i64(\(spell(a)),\(spell(b)))"
    }
  }
}
