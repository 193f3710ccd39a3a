import MLCCore
import MLCGraph
import MLCOps

extension TreeEnsemble: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let table = try TreeTable(
      Operands(Self.portNames, Self.portNames.map { context.facts($0).map(\.value) }, label: Self.name)
    )
    let x = context.input("x")
    let (dtype, shape) = (context.program[x].dtype, context.program[x].shape)
    context.requireAtLeast(Dim(table.leastColumns), shape[1])
    let aggregate = kernelAggregate
    let neutral = aggregate == .min ? Double.infinity : aggregate == .max ? -.infinity : 0
    let layout = TreeLayout(table, dtype, columnsAreKnown: shape[1].constant != nil)
    let oneWeight = targets == 1 && layout.leaves.allSatisfy { $0.count < 2 }
    let routine = Routine.Trees(
      rows: shape[0],
      columns: shape[1],
      targets: targets,
      trees: layout.trees.count,
      nodes: layout.splits.count,
      weights: table.weight.count,
      links: layout.links,
      oneWeight: oneWeight,
      aggregate: aggregate,
      depth: layout.trees.map(\.depth).max() ?? 0
    )
    var params = KernelParams()
    _ = params.read(x)
    func read(_ tensor: Tensor, _ suffix: String) { _ = params.read(context.constant(tensor, suffix)) }
    let nodes = layout.splits.count
    read(Tensor(dtype, [nodes], layout.splits), "splits")
    read(Tensor(.int32, [nodes, layout.links.width], layout.table), "links")
    read(Tensor(.int32, [layout.trees.count, 2], layout.trees.flatMap { [$0.root, $0.depth] }), "trees")
    if oneWeight {
      let weights = layout.leaves.map { $0.isEmpty ? neutral : table.weight[$0.lowerBound] }
      read(Tensor(dtype, [nodes], weights), "weights")
    } else {
      read(Tensor(.int32, [nodes, 2], layout.leaves.flatMap { [$0.lowerBound, $0.count] }), "leaves")
      read(Tensor(.int32, [table.target.count], table.target), "targets")
      read(Tensor(dtype, [table.weight.count], table.weight), "weights")
    }
    _ = params.write(context.output())
    context.append(Self.name, params, .routine(.trees(routine)))
  }

  private var kernelAggregate: Routine.Trees.Aggregate {
    switch Aggregate(rawValue: aggregate) {
    case .average: .average
    case .min: .min
    case .max: .max
    case .sum, nil: .sum
    }
  }
}
