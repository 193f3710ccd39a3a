import MLCCore

extension AccessChecker {
  /// What the kernel writes, parameter by parameter.
  func writes(of kernel: Kernel) -> [StoreRegion.Write] {
    switch kernel.body {
    case .loopNest(let nest): return writes(of: nest, kernel)
    case .matmul(let m): return [write(m.output, m.batch + [m.m, m.n], kernel)]
    case .attention(let a): return [write(a.output, a.batch + [a.m, a.f], kernel)]
    case .convolution(let c): return [StoreRegion.Write(tensor: kernel.params[c.output].tensor, region: .all)]
    case .routine:
      return kernel.params.filter { $0.access != .read }.map {
        StoreRegion.Write(tensor: $0.tensor, region: .all, isUpdate: $0.access == .readWrite)
      }
    }
  }

  private func write(_ access: Matmul.Access, _ loops: [Axis], _ kernel: Kernel) -> StoreRegion.Write {
    StoreRegion.Write(tensor: kernel.params[access.param].tensor, region: StoreRegion(access.index, loops, sizes))
  }

  /// Each parameter's stores, those at one and the same place once. A parameter that the stages load before they store
  /// to it is updated.
  private func writes(of nest: LoopNest, _ kernel: Kernel) -> [StoreRegion.Write] {
    var found: [StoreRegion.Write] = []
    var loaded: Set<Int> = []
    for stage in nest.stages {
      let (inner, value) = stage.loopsAndValue
      for load in value.loads { loaded.insert(load.param) }
      guard case .store(let param, let index, _, _) = stage else { continue }
      let region = StoreRegion(index, nest.axes + inner, sizes)
      let tensor = kernel.params[param].tensor
      if found.contains(where: { $0.tensor == tensor && ($0.isUpdate || $0.region == region) }) { continue }
      found.append(StoreRegion.Write(tensor: tensor, region: region, isUpdate: loaded.contains(param)))
    }
    return found
  }
}
