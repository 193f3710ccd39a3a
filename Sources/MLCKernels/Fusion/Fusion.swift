import MLCCore

extension KernelProgram {
  /// A rewrite of a program's kernels that keeps its results.
  package struct Rewrite: Sendable {
    package var name: String
    package var run: @Sendable (inout KernelProgram) -> Void
  }

  /// The rewrites of `fuse`, in order: epilogues absorbed, producers inlined, dead kernels dropped, copies stored where they
  /// go.
  package static let fusion: [Rewrite] = {
    let dead = Rewrite(name: "dead-kernels") { $0.removeDeadKernels() }
    let absorb = Rewrite(name: "absorb-epilogues") { program in
      var pass = AbsorbEpilogues(program)
      program = pass.run()
    }
    let inline = Rewrite(name: "inline-producers") { program in
      var pass = InlineProducers(program)
      program = pass.run()
    }
    let store = Rewrite(name: "store-rearranged") { program in
      var pass = StoreRearranged(program)
      program = pass.run()
    }
    return [dead] + (0..<3).flatMap { _ in [absorb, inline, dead] } + [absorb, store]
  }()

  /// Fewer kernels with the same results.
  package mutating func fuse() {
    for rewrite in KernelProgram.fusion { rewrite.run(&self) }
  }

  /// `addRequirements`, `fuse` and `assignLayouts`, with the kernels verified after the last step, or after `each`. Throws
  /// `kernel.invalid`.
  package mutating func optimize(lanes: Int, verifyingEach each: Bool = KernelProgram.verifiesEachStep)
    throws(Diagnostic)
  {
    addRequirements()
    if each { try verify(after: "lowering") }
    for rewrite in KernelProgram.fusion {
      rewrite.run(&self)
      if each { try verify(after: rewrite.name) }
    }
    assignLayouts(block: lanes)
    try verify(after: "layout")
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
