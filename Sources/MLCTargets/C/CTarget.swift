import MLCCore
import MLCKernels

/// Kernels as C with vector extensions, compiled by clang. The device description decides vector width and tiles.
package struct CTarget: Target {
  package static let family = "c"
  package let device: DeviceDescription

  package init(_ device: DeviceDescription) throws(Diagnostic) {
    guard device.family == Self.family else {
      throw Diagnostic(
        "target.family",
        "device '\(device.name)' is of family '\(device.family)', not 'c'",
        kind: .usage
      )
    }
    guard [4, 8, 16].contains(device.lanes) else {
      throw Diagnostic("target.lanes", "device '\(device.name)' has vectors of \(device.vectorBits) bits", kind: .usage)
    }
    self.device = device
  }

  /// What stands before `sources` in a file.
  package func prelude(of sources: [String]) -> String { Prelude.text(for: device, of: sources) }

  package func acceptance(of kernel: Kernel, in program: KernelProgram) -> Acceptance {
    if let obstacle = obstacle(to: kernel, in: program) { return .refused(obstacle) }
    switch kernel.body {
    case .matmul:
      return GemmProblem(kernel, in: program)?.storesVectors(kernel, in: program) ?? false ? .vectors : .scalars
    case .attention: return AttentionProblem(kernel, in: program)?.scoresInVectors ?? false ? .vectors : .scalars
    case .loopNest, .convolution, .routine: return .vectors
    }
  }

  package func cycles(of kernel: Kernel, in program: KernelProgram) -> Double? {
    try? choice(for: kernel, in: program)?.candidates.first?.cycles
  }

  private func obstacle(to kernel: Kernel, in program: KernelProgram) -> Diagnostic? {
    switch kernel.body {
    case .loopNest(let nest): return LoopNestEmitter.obstacle(to: nest, kernel, in: program)
    case .routine(let routine): return routine.emitter.obstacle(to: kernel, in: program)
    case .convolution, .matmul, .attention:
      return StrategyTable.strategies(of: kernel.body).flatMap { strategyObstacle($0, kernel, program) }
    }
  }

  /// The code of one kernel, the constants it wants packed, and what was chosen from. Throws why it does not take it.
  package func emit(_ kernel: Kernel, in program: KernelProgram) throws(Diagnostic) -> EmittedKernel {
    if let choice = try choice(for: kernel, in: program) {
      var emitted = try choice.strategy.emit(kernel, in: program, on: choice.device)
      (emitted.candidates, emitted.problem) = (choice.candidates, choice.problem)
      return emitted
    }
    if let obstacle = obstacle(to: kernel, in: program) { throw obstacle }
    switch kernel.body {
    case .loopNest(let nest): return LoopNestEmitter(kernel, in: program, on: device).emit(nest)
    case .routine(let routine): return try routine.emitter.emit(kernel, in: program, on: device)
    case .convolution, .matmul, .attention: preconditionFailure("a product of tensors has strategies")
    }
  }

  /// The strategy that `emit` would use.
  package func strategy(for kernel: Kernel, in program: KernelProgram) throws(Diagnostic) -> (any Strategy.Type)? {
    try choice(for: kernel, in: program)?.strategy
  }

  /// `nil` where there is nothing to choose.
  private func choice(for kernel: Kernel, in program: KernelProgram) throws(Diagnostic) -> StrategyChoice? {
    guard let table = StrategyTable.strategies(of: kernel.body) else { return nil }
    return try StrategyChoice(table, kernel, in: program, on: device)
  }

  private func strategyObstacle(_ table: [any Strategy.Type], _ kernel: Kernel, _ program: KernelProgram) -> Diagnostic?
  {
    if table.contains(where: { $0.obstacle(to: kernel, in: program, on: device) == nil }) { return nil }
    do {
      _ = try StrategyChoice(table, kernel, in: program, on: device)
      return nil
    } catch { return error }
  }
}
