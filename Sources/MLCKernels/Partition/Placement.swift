import MLCCore

/// Which device runs which part of a function, where there are several: its target's own processor, number 0, and
/// accelerators.
package struct Placement: Sendable {
  /// The number of a target for each step outside of others.
  package var places: @Sendable (KernelProgram, [any Target]) -> [Int]

  package init(_ places: @escaping @Sendable (KernelProgram, [any Target]) -> [Int]) { self.places = places }

  /// The first accelerator that takes all kernels of the step; where there is none, the processor.
  package static let firstThatTakes = Placement { program, targets in
    program.steps.map { step in
      targets.indices.dropFirst().first { targets[$0].takes([step], in: program) } ?? 0
    }
  }
}

extension Target {
  /// Whether it takes every kernel of `steps`.
  fileprivate func takes(_ steps: [KernelProgram.Step], in program: KernelProgram) -> Bool {
    var takesAll = true
    KernelProgram.forEachKernel(steps) { kernel in takesAll = takesAll && takes(kernel, in: program) }
    return takesAll
  }
}
