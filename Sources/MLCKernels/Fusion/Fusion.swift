import MLCCore

extension KernelProgram {
  /// A rewrite of a program's kernels that keeps its results.
  package struct Rewrite: Sendable {
    package var name: String
    package var run: @Sendable (inout KernelProgram, any Target) -> Void
  }

  /// The rewrites of `fuse`, in order: epilogues absorbed, producers inlined, dead kernels dropped, copies stored where
  /// they go, outputs written early.
  package static let fusion: [Rewrite] = {
    let dead = Rewrite(name: "dead-kernels") { program, _ in program.removeDeadKernels() }
    let absorb = Rewrite(name: "absorb-epilogues") { program, target in
      var pass = AbsorbEpilogues(program, for: target)
      program = pass.run()
    }
    let inline = Rewrite(name: "inline-producers") { program, target in
      var pass = InlineProducers(program, for: target)
      program = pass.run()
    }
    let store = Rewrite(name: "store-rearranged") { program, target in
      var pass = StoreRearranged(program, for: target)
      program = pass.run()
    }
    let advance = Rewrite(name: "advance-outputs") { program, _ in program.advanceOutputs() }
    return [dead] + (0..<3).flatMap { _ in [absorb, inline, dead] } + [absorb, store, advance]
  }()

  /// Fewer kernels with the same results, all such that `target` takes them in some layout.
  package mutating func fuse(for target: any Target) {
    legalize(for: target, areLaidOut: false)
    for rewrite in KernelProgram.fusion { rewrite.run(&self, target) }
  }

  /// `addRequirements`, `fuse`, `assignLayouts` and `legalize`, with the kernels verified after the last step, or after
  /// `each`. Throws `kernel.invalid`.
  package mutating func optimize(
    for target: any Target,
    verifyingEach each: Bool = KernelProgram.verifiesEachStep
  ) throws(Diagnostic) {
    addRequirements()
    if each { try verify(after: "lowering") }
    legalize(for: target, areLaidOut: false)
    if each { try verify(after: "legalize") }
    for rewrite in KernelProgram.fusion {
      rewrite.run(&self, target)
      if each { try verify(after: rewrite.name) }
    }
    assignLayouts(for: target)
    if each { try verify(after: "layout") }
    roundFactors(for: target)
    legalize(for: target, areLaidOut: true)
    try verify(after: "legalize")
  }

  /// Whether every step of a compilation is verified: in builds for debugging.
  package static var verifiesEachStep: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }
}
