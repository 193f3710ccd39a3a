import MLCCore

/// What becomes of each operation or layer of a source model on one target.
package struct ModelPlan: Sendable {
  package struct Row: Hashable, Sendable {
    package var entry: ModelStructure.Entry
    /// Its share of what all cost, 0…1; 0 where no kernel computes it.
    package var weight = 0.0
    /// As in `KernelCosts.Node`. None where it is constant, left out, or only names what another computes.
    package var kernels: [String] = []
    package var isShared = false
  }

  /// Why GPUs and Neural Engines run nothing.
  package static let reasonAgainstOtherDevices = "this machine has none that models run on"

  package let structure: ModelStructure
  package let target: String, function: String
  /// What runs in the function, in order. Weights add up to 1, or to 0 where no kernel computes any. Where the
  /// structure is not known, a row for each node that kernels name.
  package let rows: [Row]

  /// Of one of the package's functions for one of its targets. Throws what reading the plans and the structure throws.
  package init(
    _ package: PackageReader,
    _ target: Manifest.Target,
    _ function: FunctionInterface
  ) throws(Diagnostic) {
    structure = try package.structure()
    (self.target, self.function) = (target.name, function.name)
    var steps: [KernelPlan.Step] = []
    for code in target.code where code.function == function.name {
      for segment in code.segments { steps += try package.plan(segment).steps }
    }
    let costs = KernelCosts(steps, sizes: function.estimateSizes)
    let known = structure.entries(of: function.name)
    rows = ModelPlan.rows(known.isEmpty ? ModelPlan.entries(steps) : known, costs.nodes)
  }

  /// Nodes as kernels name them.
  private static func entries(_ steps: [KernelPlan.Step]) -> [ModelStructure.Entry] {
    var entries: [ModelStructure.Entry] = []
    var seen: Set<String> = []
    for origin in steps.flatMap({ $0.origins }) where seen.insert(origin.node).inserted {
      let place = ModelStructure.Place(numbers: [entries.count])
      entries.append(ModelStructure.Entry(place: place, name: origin.node, op: origin.op, nodes: [origin.node]))
    }
    return entries
  }

  /// Entries that are one node share its cost in equal parts.
  private static func rows(_ entries: [ModelStructure.Entry], _ nodes: [String: KernelCosts.Node]) -> [Row] {
    var rows = entries.map { Row(entry: $0) }
    var users: [String: [Int]] = [:]
    for (index, entry) in entries.enumerated() where !entry.isConstant {
      for node in Set(entry.nodes) { users[node, default: []].append(index) }
    }
    for (name, node) in nodes.sorted(by: { $0.key < $1.key }) {
      let indices = users[name] ?? []
      for index in indices {
        rows[index].weight += node.cost / Double(indices.count)
        rows[index].kernels += node.kernels.filter { !rows[index].kernels.contains($0) }
        rows[index].isShared = rows[index].isShared || node.isShared || indices.count > 1
      }
    }
    let whole = rows.reduce(0) { $0 + $1.weight }
    if whole > 0 { for index in rows.indices { rows[index].weight /= whole } }
    return rows
  }
}
