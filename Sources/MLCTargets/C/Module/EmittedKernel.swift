import MLCCore
import MLCKernels

/// One kernel as C.
package struct EmittedKernel: Sendable {
  /// `mlc_f32_conv_relu__x86_64_v4_14x32`: everything a reader of a profile wants to know, and the symbol of the kernel
  /// were it the only one of that name.
  package var name: String
  /// How many tasks it divides into: a C expression over `s[i]`, the sizes.
  package var tasks: String
  /// Where its tasks come in phases: `tasks` of each group and phase.
  let phases: Phases?
  /// Parameters whose constant is replaced by a packed form, by position.
  package var packed: [Int: Tensor]
  /// Bytes of scratch each worker needs.
  package var scratchBytes: Int
  /// The ways to compute it that were weighed, the one that this is first; none where there was no choice.
  package var candidates: [StrategyCandidate] = []
  /// What measurements of it are kept by; `nil` where nobody measures.
  package var problem: String?
  /// The element type of what it multiplies, where its operands are rounded to that.
  package var factors: DType?
  /// How many groups and phases there are, C expressions too; more than one phase.
  struct Phases: Sendable {
    let groups: String, count: String
  }

  /// All of its tasks, as an `mlc_phases`.
  package var work: String { "(mlc_phases){\(phases?.groups ?? "1"), \(phases?.count ?? "1"), \(tasks)}" }

  private let code: @Sendable (_ symbol: String) -> CCode

  /// `source` are definitions: one function `void SYMBOL(const mlc_frame *, void *const *, char *, int64_t, int64_t)`
  /// with external linkage, and the static helpers it needs, whose names begin with the symbol.
  init(
    _ name: KernelName,
    source: @escaping @Sendable (_ symbol: String) -> CCode,
    tasks: String,
    phases: Phases? = nil,
    packed: [Int: Tensor] = [:],
    scratchBytes: Int = 0
  ) {
    (self.name, code, self.tasks, self.phases) = (name.value, source, tasks, phases)
    (self.packed, self.scratchBytes) = (packed, scratchBytes)
  }

  package func source(_ symbol: String) -> String { code(symbol).text }
}
