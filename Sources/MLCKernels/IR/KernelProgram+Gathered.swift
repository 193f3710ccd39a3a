extension KernelProgram {
  /// The constants that a run reads only where data says, wherever it reads them: tables of embeddings.
  package var gatheredConstants: Set<TensorID> {
    var gathered: Set<TensorID> = []
    var others: Set<TensorID> = []
    KernelProgram.forEachKernel(steps) { kernel in
      let chosen = kernel.paramsReadByData
      for (number, param) in kernel.params.enumerated() {
        let root = root(param.tensor)
        guard case .constant = self[root].kind else { continue }
        if chosen.contains(number) { gathered.insert(root) } else { others.insert(root) }
      }
    }
    return gathered.subtracting(others)
  }
}

extension Kernel {
  /// The parameters each of whose loads goes to a place that other data says.
  var paramsReadByData: Set<Int> {
    guard case .loopNest = body else { return [] }
    var chosen: Set<Int> = []
    var others: Set<Int> = []
    for scalar in scalars {
      scalar.visitNodes { node in
        guard case .load(let param, let index) = node else { return }
        if index.contains(where: \.dependsOnData) { chosen.insert(param) } else { others.insert(param) }
      }
    }
    return chosen.subtracting(others)
  }
}

extension Index {
  fileprivate var dependsOnData: Bool {
    switch self {
    case .value: true
    case .dim, .axis: false
    case .sum(let a, let b): a.dependsOnData || b.dependsOnData
    case .product(let a, _), .floorDiv(let a, _), .mod(let a, _): a.dependsOnData
    }
  }
}
