import Synchronization

/// Which nodes are computed together, and in which order.
struct TensorPlan {
  /// A node that is not computed yet, as it was found.
  private struct Entry {
    let node: TensorNode
    let work: TensorWork
    let inputs: [TensorNode]
    /// Places of the operands that are not computed either.
    var operands: [Int] = []
    /// How many operands of other entries it is.
    var uses = 0
    /// The entry whose step computes it; itself for those that no other step can take in.
    var group = -1
    var isElementwise: Bool { if case .elementwise = work { true } else { false } }
    var isFill: Bool { if case .fill = work { true } else { false } }
  }

  /// Operands first, the target last.
  private var entries: [Entry] = []

  /// The steps that lead to `target`, operands first.
  static func steps(for target: TensorNode) -> [TensorStep?] {
    var plan = TensorPlan()
    plan.collect(target)
    plan.group()
    return plan.steps()
  }

  private mutating func collect(_ target: TensorNode) {
    var places: [ObjectIdentifier: Int] = [:]
    var stack: [(entry: Entry, next: Int)] = []
    func entry(_ node: TensorNode) -> Entry? {
      node.pending.map { Entry(node: node, work: $0.work, inputs: $0.inputs) }
    }
    if let first = entry(target) { stack.append((first, 0)) }
    while let top = stack.last {
      guard top.next < top.entry.inputs.count else {
        var done = stack.removeLast().entry
        done.operands = done.inputs.compactMap { places[ObjectIdentifier($0)] }
        for operand in done.operands { entries[operand].uses += 1 }
        places[ObjectIdentifier(done.node)] = entries.count
        entries.append(done)
        continue
      }
      stack[stack.count - 1].next += 1
      let input = top.entry.inputs[top.next]
      if places[ObjectIdentifier(input)] == nil, let found = entry(input) { stack.append((found, 0)) }
    }
  }

  /// An element-wise node joins the step of those that use it when they all are in one and have its shape: then its
  /// elements need not be stored for them.
  private mutating func group() {
    var users = [Int?](repeating: nil, count: entries.count)
    var isAlone = [Bool](repeating: false, count: entries.count)
    for index in entries.indices.reversed() {
      let entry = entries[index]
      let joins = entry.isElementwise && !isAlone[index] ? users[index] : nil
      entries[index].group = joins ?? index
      let group = entries[index].group
      for operand in entry.operands {
        let fits = entry.isElementwise && entries[operand].node.shape == entry.node.shape
        if !fits || users[operand].map({ $0 != group }) == true { isAlone[operand] = true }
        users[operand] = group
      }
    }
  }

  private func steps() -> [TensorStep?] {
    var members: [Int: [ElementwiseGroup.Member]] = [:]
    var steps: [TensorStep?] = []
    var needsMemory = [Bool](repeating: false, count: entries.count)
    for entry in entries where !entry.isElementwise { for operand in entry.operands { needsMemory[operand] = true } }
    for (index, entry) in entries.enumerated() {
      guard case .elementwise(let operation) = entry.work else {
        // One value everywhere is a constant to element-wise steps.
        if entry.isFill, !needsMemory[index], index < entries.count - 1 { continue }
        steps.append(TensorStep(entry.node, .single(entry.work, entry.inputs)))
        continue
      }
      let isKept = entry.group == index || entry.node.interest.load(ordering: .relaxed) > entry.uses
      let member = ElementwiseGroup.Member(
        node: entry.node,
        operation: operation,
        inputs: entry.inputs,
        isKept: isKept
      )
      members[entry.group, default: []].append(member)
      if entry.group == index, let group = members.removeValue(forKey: index) {
        steps.append(TensorStep(entry.node, .elementwise(group)))
      }
    }
    return steps
  }
}
