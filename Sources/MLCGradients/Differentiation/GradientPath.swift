import MLCCore
import MLCGraph
import MLCOps

/// What lies between parameters and a loss: values that depend on the first by derivatives, and the second on them.
struct GradientPath {
  let values: Set<ValueID>
  /// Those that read and make such values, in their order.
  let operations: [Operation]

  init(_ operations: [Operation], in function: Function, from parameters: [ValueID], to loss: ValueID) {
    var reached = Set(parameters)
    for operation in operations where WithoutGradient.reason(operation.op) == nil {
      guard operation.uses.contains(where: reached.contains) else { continue }
      reached.formUnion(operation.outputs.filter { function.fact($0).dtype.isFloat })
    }
    var needed: Set<ValueID> = reached.contains(loss) ? [loss] : []
    var path: [Operation] = []
    for operation in operations.reversed() where operation.outputs.contains(where: needed.contains) {
      let sources = operation.uses.filter(reached.contains)
      if sources.isEmpty { continue }
      needed.formUnion(sources)
      path.append(operation)
    }
    (values, self.operations) = (needed, path.reversed())
  }

  /// Throws `gradient.unsupported` with every operation whose gradients nobody says.
  func check(_ function: Function) throws(Diagnostic) {
    var problems: [(place: Location, reason: String)] = []
    for operation in operations {
      guard let reason = operation.gradientObstacle(function) else { continue }
      let node = operation.origin.node ?? function[operation.outputs[0]].name
      let own = Location(node: node, op: operation.origin.op ?? operation.name)
      problems.append((own.within(operation.origin).within(Location(file: function.file)), reason))
    }
    guard let first = problems.first else { return }
    throw Diagnostic(
      "gradient.unsupported",
      "no gradient passes this node: \(first.reason)",
      kind: .unsupported,
      at: first.place,
      notes: problems.dropFirst().map { "nor \($0.place): \($0.reason)" }
    )
  }
}

extension Operation {
  /// What the operation reads, its blocks included.
  fileprivate var uses: [ValueID] { inputs.joined() + blocks.flatMap { $0.uses } }

  /// Why the gradients of its operands cannot be said; `nil` where they can.
  fileprivate func gradientObstacle(_ function: Function) -> String? {
    let facts = Operands(type(of: op).portNames, inputs.map { $0.map(function.fact) })
    switch op {
    case let op as any Differentiable: return op.gradientObstacle(facts)
    case let op as any Composite: return op.partsObstacle(facts)
    default: return WithoutGradient.missing(op) ?? "\(name) has none"
    }
  }
}
