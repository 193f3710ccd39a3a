import MLCCore
import MLCKernels

/// The checks of what tensors of open extents take: memory is planned for a limit, and what they really take is known
/// once all their sizes are.
struct OpenTensors {
  /// Distinct numbers of bytes, each with the late sizes in it and the most that it may be.
  private struct Check {
    var bytes: Dim, late: Set<String>, most: Int
  }
  private var checks: [Check] = []
  /// Late sizes that have a value where the program is.
  private var known: Set<String>
  private let sizes: SizeSpelling
  /// A statement that refuses what takes too much among the tensors whose sizes are known before the program begins.
  private(set) var atStart = CCode()

  init(_ program: KernelProgram, _ sizes: SizeSpelling) {
    known = program.knownSizes
    var checked = sizes
    checked.arithmetic = .checked
    self.sizes = checked
    guard program.lateSymbols.contains(where: { $0.isOpen }) else { return }
    let late = Set(program.lateSymbols.map { $0.name })
    var seen: [Dim: Int] = [:]
    for tensor in program.tensors where tensor.takesMemory && program.isOpen(tensor) {
      let bytes = tensor.storedBytes
      let most = program.limitBytes(tensor)
      if let number = seen[bytes] {
        // As many bytes of other elements have another limit.
        checks[number].most = min(checks[number].most, most)
        continue
      }
      seen[bytes] = checks.count
      checks.append(Check(bytes: bytes, late: bytes.symbols.intersection(late), most: most))
    }
    atStart = refusal(checks.indices.filter { checks[$0].late.isSubset(of: known) })
  }

  /// What the module needs, if anything.
  var functions: CCode {
    if checks.isEmpty { return [] }
    let bodies = checks.enumerated().map { number, check -> CCode in
      """
      __attribute__((noinline)) static int32_t exceeds_\(number)(const int64_t *s) {
        int over = 0;
        return \(sizes.spell(check.bytes)) > \(check.most) || over;
      }

      """
    }
    return CCode(Self.arithmetic) + bodies.joined()
  }

  /// A statement that does so where the late size `name` has just got a value.
  mutating func refusal(setting name: String) -> CCode {
    known.insert(name)
    return refusal(checks.indices.filter { checks[$0].late.contains(name) && checks[$0].late.isSubset(of: known) })
  }

  /// A C condition: whether what `sizes` become, all at once, is too much.
  func excess(changing sizes: [KernelProgram.Loop.Size]) -> String? {
    let next = Dictionary(uniqueKeysWithValues: sizes.map { ($0.name, $0.value) })
    let touched = checks.filter { !$0.late.isDisjoint(with: next.keys) && $0.late.isSubset(of: known) }
    if touched.isEmpty { return nil }
    return touched.map { "\(self.sizes.spell($0.bytes.substituting(next))) > \($0.most)" }.joined(separator: " || ")
  }

  private func refusal(_ numbers: [Int]) -> CCode {
    if numbers.isEmpty { return [] }
    return CCode("if (\(numbers.map { "exceeds_\($0)(s)" }.joined(separator: " || "))) refuse_size(f);")
  }

  private static let arithmetic = """
    static inline int64_t mlc_times(int64_t a, int64_t b, int *over) {
      int64_t result;
      if (__builtin_mul_overflow(a, b, &result)) *over = 1;
      return result;
    }
    static inline int64_t mlc_plus(int64_t a, int64_t b, int *over) {
      int64_t result;
      if (__builtin_add_overflow(a, b, &result)) *over = 1;
      return result;
    }

    """
}

extension KernelTensor {
  fileprivate var takesMemory: Bool {
    switch kind {
    case .temporary, .output: true
    case .input, .constant, .compressed, .alias: false
    }
  }
}
