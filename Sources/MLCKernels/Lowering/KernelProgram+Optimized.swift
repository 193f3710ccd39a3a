import MLCCore
import MLCGraph

extension KernelProgram {
  /// `function` as kernels that `target` takes, fused, laid out and verified: at the end, or after `each` step.
  /// `sizeLimit` is that of `lowering`.
  package static func optimized(
    _ function: Function,
    for target: any Target,
    verifyingEach each: Bool = verifiesEachStep,
    budget: Budget = Budget(),
    sizeLimit: Int = usualSizeLimit
  ) throws(Diagnostic) -> KernelProgram {
    var program = try KernelProgram.lowering(function, budget: budget, sizeLimit: sizeLimit)
    try program.optimize(for: target, verifyingEach: each)
    try budget.checkTime()
    return program
  }
}
