import MLCCore

/// What kernels are expected to cost, and which nodes of the user's model share it.
///
/// A kernel costs as long as the slower of two things takes: its operations on numbers, of which a processor makes ten
/// while it reads or writes a byte of memory, and its bytes. A kernel without an estimate costs the bytes of what it
/// writes. In a contraction with other work fused into it, each other node takes an operation for each element that the
/// kernel writes, and the contractions take the rest; elsewhere the kernel's nodes take equal parts.
package struct KernelCosts {
  package struct Node: Hashable, Sendable {
    package var cost = 0.0
    /// The kernels that it is part of, each once, in the order in which they run.
    package var kernels: [String] = []
    /// Whether any of them computes other nodes too.
    package var isShared = false
  }

  private static let operationsPerByte = 10.0
  private static let contractions = [
    "conv", "matmul", "gemm", "linear", "innerproduct", "dense", "einsum", "attention", "lstm", "gru", "rnn",
  ]

  package private(set) var nodes: [String: Node] = [:]

  /// Of `steps`, with numbers for open sizes.
  package init(_ steps: [KernelPlan.Step], sizes: [String: Int]) {
    for step in steps { add(step, sizes) }
  }

  private mutating func add(_ step: KernelPlan.Step, _ sizes: [String: Int]) {
    var origins: [KernelPlan.Origin] = []
    for origin in step.origins where !origins.contains(where: { $0.node == origin.node }) { origins.append(origin) }
    func number(_ dim: Dim?) -> Double? { dim?.evaluate(sizes).map { Double(max($0, 0)) } }
    let written = step.results.compactMap { number($0.elementCount) }.reduce(0, +)
    let operations = number(step.operations) ?? 0
    let bytes = number(step.bytes) ?? 4 * written
    let cost = max(operations / KernelCosts.operationsPerByte, bytes, 1)
    let weights = KernelCosts.weights(step, origins, operations: operations, written: written)
    let whole = weights.reduce(0, +)
    for (origin, weight) in zip(origins, weights) {
      var node = nodes[origin.node] ?? Node()
      node.cost += cost * weight / whole
      if !node.kernels.contains(step.kernel) { node.kernels.append(step.kernel) }
      node.isShared = node.isShared || origins.count > 1
      nodes[origin.node] = node
    }
  }

  /// In what proportion `origins` share a kernel; all are positive.
  private static func weights(
    _ step: KernelPlan.Step,
    _ origins: [KernelPlan.Origin],
    operations: Double,
    written: Double
  ) -> [Double] {
    let isMain = origins.map { origin in
      let name = origin.op.lowercased().filter { $0 != "_" }
      return contractions.contains { name.contains($0) }
    }
    let main = Double(isMain.count { $0 })
    let isContraction = ["matmul", "convolution", "attention"].contains(step.kind)
    guard isContraction, main > 0, written > 0 else { return origins.map { _ in 1 } }
    let rest = max(operations - written * (Double(origins.count) - main), written) / main
    return isMain.map { $0 ? rest : written }
  }
}

extension FunctionInterface {
  /// Sizes to estimate costs with: of combinations the first, else the least that is allowed, at least 1; of those that
  /// data decides the greatest.
  package var estimateSizes: [String: Int] {
    var sizes: [String: Int] = [:]
    for symbol in symbols { sizes[symbol.name] = max(symbol.range?.lowerBound ?? 1, 1) }
    for enumeration in enumerations {
      for (name, size) in zip(enumeration.symbols, enumeration.choices.first ?? []) { sizes[name] = size }
    }
    for late in lateSymbols { sizes[late.name] = min(late.bound.evaluate(sizes) ?? 1, late.limit ?? .max) }
    return sizes
  }
}
