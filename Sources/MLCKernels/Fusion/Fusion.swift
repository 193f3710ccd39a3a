import MLCCore

extension KernelProgram {
  /// Fewer kernels with the same results: epilogues absorbed, producers inlined, dead kernels dropped, copies stored
  /// where they go.
  package mutating func fuse() {
    removeDeadKernels()
    for _ in 0..<3 {
      var absorb = AbsorbEpilogues(self)
      self = absorb.run()
      var inline = InlineProducers(self)
      self = inline.run()
      removeDeadKernels()
    }
    var absorb = AbsorbEpilogues(self)
    self = absorb.run()
    var store = StoreRearranged(self)
    self = store.run()
  }
}
