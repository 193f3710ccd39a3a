import MLCCore

extension KernelProgram {
  /// What `target` does not take, each problem at the user's node that it comes from.
  package func obstacles(for target: any Target) -> [Diagnostic] {
    var found: [Diagnostic] = []
    KernelProgram.forEachKernel(steps) { kernel in
      guard var obstacle = target.acceptance(of: kernel, in: self).obstacle else { return }
      obstacle.location = obstacle.location.within(kernel.origins.last ?? .init())
      if !found.contains(obstacle) { found.append(obstacle) }
    }
    return found
  }
}
