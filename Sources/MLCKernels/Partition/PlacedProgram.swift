import MLCCore
import MLCGraph

/// A function as segments of kernels that their devices take.
package struct PlacedProgram: Sendable {
  package private(set) var partition: Partition
  /// Those of the whole function, which every segment numbers alike.
  package let symbols: [String]
  package let lateSymbols: [KernelProgram.LateSize]
  package let sizeLimit: Int

  /// `function` on `targets`, the first of which is the processor's, where `placement` puts its steps. `recomputes`
  /// says whether `KernelProgram.recompute` runs. Throws what `KernelProgram.lowering` and `optimize` throw.
  package init(
    _ function: Function,
    on targets: [any Target],
    _ placement: Placement,
    recomputes: Bool = false,
    verifyingEach each: Bool = KernelProgram.verifiesEachStep,
    budget: Budget = Budget(),
    sizeLimit: Int = KernelProgram.usualSizeLimit
  ) throws(Diagnostic) {
    let lowered = try KernelProgram.lowering(function, budget: budget, sizeLimit: sizeLimit)
    (symbols, lateSymbols, self.sizeLimit) = (lowered.symbols, lowered.lateSymbols, sizeLimit)
    let places = targets.count > 1 ? placement.places(lowered, targets) : lowered.steps.map { _ in 0 }
    partition = Partition(lowered, places: places)
    for index in partition.segments.indices {
      let target = targets[partition.segments[index].device]
      try partition.segments[index].program.optimize(for: target, verifyingEach: each)
      try budget.checkTime()
      try partition.segments[index].program.resolveCompressed(for: target)
      if recomputes {
        partition.segments[index].program.recompute()
        if each { try partition.segments[index].program.verify(after: "recompute") }
      }
      partition.segments[index].program.placeStates()
      if each { try partition.segments[index].program.verify(after: "states") }
    }
  }

  /// What the devices of `targets` do not take of their segments, each with the device's name.
  package func obstacles(for targets: [any Target]) -> [(device: String, problem: Diagnostic)] {
    partition.segments.flatMap { segment in
      let target = targets[segment.device]
      return segment.program.obstacles(for: target).map { (target.device.name, $0) }
    }
  }
}
