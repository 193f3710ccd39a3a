import MLCCore

extension KernelProgram {
  /// Fewer kernels with the same results: producers inlined, epilogues absorbed, dead kernels dropped.
  package mutating func fuse() {
    removeDeadKernels()
    for _ in 0..<3 {
      var inline = InlineProducers(self)
      self = inline.run()
      removeDeadKernels()
      var absorb = AbsorbEpilogues(self)
      self = absorb.run()
      removeDeadKernels()
    }
  }
}
