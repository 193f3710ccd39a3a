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

  /// What stands before the kernels in every file.
  package var prelude: String { Prelude.text(for: device) }

  package func acceptance(of kernel: Kernel, in program: KernelProgram) -> Acceptance {
    if let obstacle = obstacle(to: kernel, in: program) { return .refused(obstacle) }
    switch kernel.body {
    case .matmul:
      return GemmProblem(kernel, in: program)?.storesVectors(kernel, in: program) ?? false ? .vectors : .scalars
    case .attention: return AttentionProblem(kernel, in: program)?.scoresInVectors ?? false ? .vectors : .scalars
    case .loopNest, .convolution, .routine: return .vectors
    }
  }

  private func obstacle(to kernel: Kernel, in program: KernelProgram) -> Diagnostic? {
    switch kernel.body {
    case .loopNest(let nest): return LoopNestEmitter.obstacle(to: nest, kernel, in: program)
    case .convolution: return strategyObstacle(StrategyTable.convolution, kernel, program)
    case .matmul: return strategyObstacle(StrategyTable.matmul, kernel, program)
    case .attention: return strategyObstacle(StrategyTable.attention, kernel, program)
    case .routine(let routine): return routine.emitter.obstacle(to: kernel, in: program)
    }
  }

  /// The code of one kernel, and the constants it wants packed. Throws why it does not take it.
  package func emit(_ kernel: Kernel, in program: KernelProgram) throws(Diagnostic) -> EmittedKernel {
    if let obstacle = obstacle(to: kernel, in: program) { throw obstacle }
    switch kernel.body {
    case .loopNest(let nest): return LoopNestEmitter(kernel, in: program, on: device).emit(nest)
    case .convolution:
      return try cheapest(StrategyTable.convolution, kernel, program).emit(kernel, in: program, on: device)
    case .matmul: return try cheapest(StrategyTable.matmul, kernel, program).emit(kernel, in: program, on: device)
    case .attention: return try cheapest(StrategyTable.attention, kernel, program).emit(kernel, in: program, on: device)
    case .routine(let routine): return try routine.emitter.emit(kernel, in: program, on: device)
    }
  }

  /// The strategy that `emit` would use.
  package func strategy(for kernel: Kernel, in program: KernelProgram) throws(Diagnostic) -> (any Strategy.Type)? {
    switch kernel.body {
    case .convolution: try cheapest(StrategyTable.convolution, kernel, program)
    case .matmul: try cheapest(StrategyTable.matmul, kernel, program)
    case .attention: try cheapest(StrategyTable.attention, kernel, program)
    default: nil
    }
  }

  private func strategyObstacle(_ table: [any Strategy.Type], _ kernel: Kernel, _ program: KernelProgram) -> Diagnostic?
  {
    var reasons: [String] = []
    for strategy in table {
      guard let obstacle = strategy.obstacle(to: kernel, in: program, on: device) else { return nil }
      reasons.append("\(strategy.name): \(obstacle.message)")
    }
    return Diagnostic(
      "target.strategy",
      "nothing computes this product of tensors",
      kind: .unsupported,
      notes: reasons
    )
  }

  /// What `emit` chooses from, the cheapest first; none where there is nothing to choose.
  package func candidates(for kernel: Kernel, in program: KernelProgram) -> [StrategyCandidate] {
    let table: [any Strategy.Type] =
      switch kernel.body {
      case .convolution: StrategyTable.convolution
      case .matmul: StrategyTable.matmul
      case .attention: StrategyTable.attention
      case .loopNest, .routine: []
      }
    let candidates = table.map { strategy in
      if let obstacle = strategy.obstacle(to: kernel, in: program, on: device) {
        return StrategyCandidate(strategy.name, .refused(obstacle.message))
      }
      return StrategyCandidate(strategy.name, .cycles(strategy.cost(kernel, in: program, on: device)))
    }
    return candidates.sorted { ($0.cycles ?? .infinity) < ($1.cycles ?? .infinity) }
  }

  private func cheapest(
    _ table: [any Strategy.Type],
    _ kernel: Kernel,
    _ program: KernelProgram
  ) throws(Diagnostic) -> any Strategy.Type {
    var best: (strategy: any Strategy.Type, cost: Double)?
    for strategy in table where strategy.obstacle(to: kernel, in: program, on: device) == nil {
      let cost = strategy.cost(kernel, in: program, on: device)
      if best.map({ cost < $0.cost }) ?? true { best = (strategy, cost) }
    }
    guard let best else {
      throw Diagnostic("target.strategy", "nothing computes this product of tensors", kind: .unsupported)
    }
    return best.strategy
  }
}
