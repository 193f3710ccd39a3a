import MLCCore

extension KernelProgram {
  package indirect enum Step: Sendable {
    case kernel(Kernel)
    /// Runs one side; `condition` is a one-element bool tensor.
    case branch(condition: TensorID, then: [Step], otherwise: [Step])
    case loop(Loop)
    /// Sets a late size from a one-element integer tensor.
    case bindSize(String, from: TensorID)
    /// Sets a late size to a known one.
    case setSize(String, Dim)
    /// A fault where late sizes do not keep all of these.
    case checkSizes([SizeRequirement])
  }

  /// Runs `head`; where `condition`, a one-element bool tensor, holds, `body`, then takes over what is `carried` and
  /// `sizes`, and begins again. A fault ends it.
  package struct Loop: Sendable {
    /// At the end of a round `state` becomes `next`, which the body wrote: a temporary of its own for each, or `state`
    /// itself where the body updates it in place.
    package struct Carried: Hashable, Sendable {
      package var state: TensorID, next: TensorID
      package init(_ state: TensorID, next: TensorID) { (self.state, self.next) = (state, next) }
    }
    /// At the end of a round the late size `name` becomes `value`, no more than its bound, or that is a fault.
    package struct Size: Hashable, Sendable {
      package var name: String, value: Dim
      package init(_ name: String, _ value: Dim) { (self.name, self.value) = (name, value) }
    }
    package var head: [Step]
    package var condition: TensorID
    package var body: [Step]
    package var carried: [Carried]
    package var sizes: [Size]

    package init(head: [Step], condition: TensorID, body: [Step], carried: [Carried], sizes: [Size]) {
      (self.head, self.condition, self.body) = (head, condition, body)
      (self.carried, self.sizes) = (carried, sizes)
    }
  }
}

extension KernelProgram.Step {
  /// The steps inside it, in lists that run as one.
  package var blocks: [[KernelProgram.Step]] {
    switch self {
    case .branch(_, let then, let otherwise): [then, otherwise]
    case .loop(let loop): [loop.head, loop.body]
    case .kernel, .bindSize, .setSize, .checkSizes: []
    }
  }

  /// With each list of steps inside it changed, in order.
  package func mapBlocks(_ change: ([KernelProgram.Step]) -> [KernelProgram.Step]) -> KernelProgram.Step {
    switch self {
    case .branch(let condition, let then, let otherwise):
      return .branch(condition: condition, then: change(then), otherwise: change(otherwise))
    case .loop(var loop):
      loop.head = change(loop.head)
      loop.body = change(loop.body)
      return .loop(loop)
    case .kernel, .bindSize, .setSize, .checkSizes: return self
    }
  }

  /// With other tensors, in the steps inside it too.
  package func mapTensors(_ change: (TensorID) -> TensorID) -> KernelProgram.Step {
    switch mapBlocks({ block in block.map { $0.mapTensors(change) } }) {
    case .kernel(var kernel):
      for index in kernel.params.indices { kernel.params[index].tensor = change(kernel.params[index].tensor) }
      return .kernel(kernel)
    case .branch(let condition, let then, let otherwise):
      return .branch(condition: change(condition), then: then, otherwise: otherwise)
    case .loop(var loop):
      loop.condition = change(loop.condition)
      loop.carried = loop.carried.map { .init(change($0.state), next: change($0.next)) }
      return .loop(loop)
    case .bindSize(let name, let tensor): return .bindSize(name, from: change(tensor))
    case .setSize, .checkSizes: return self
    }
  }

  /// Whether it, or a step inside it, asks the host for work on texts.
  package var asksHost: Bool {
    var asks = false
    KernelProgram.forEachKernel([self]) { kernel in
      if case .routine(.text) = kernel.body { asks = true }
    }
    return asks
  }

  /// What it reads itself, the steps inside it left aside.
  package var reads: [TensorID] {
    switch self {
    case .kernel(let kernel): kernel.params.filter { $0.access != .write }.map(\.tensor)
    case .branch(let condition, _, _): [condition]
    case .loop(let loop): [loop.condition] + loop.carried.map(\.next)
    case .bindSize(_, let tensor): [tensor]
    case .setSize, .checkSizes: []
    }
  }

  /// What it writes itself.
  package var writes: [TensorID] {
    switch self {
    case .kernel(let kernel): kernel.params.filter { $0.access != .read }.map(\.tensor)
    case .loop(let loop): loop.carried.map(\.state)
    case .branch, .bindSize, .setSize, .checkSizes: []
    }
  }
}

extension KernelProgram {
  /// Calls `visit` for every step, and then for those inside it.
  package static func walk(_ steps: [Step], _ visit: (Step) -> Void) {
    for step in steps {
      visit(step)
      for block in step.blocks { walk(block, visit) }
    }
  }

  /// Calls `visit` for every kernel.
  package static func forEachKernel(_ steps: [Step], _ visit: (Kernel) -> Void) {
    walk(steps) { if case .kernel(let kernel) = $0 { visit(kernel) } }
  }

  /// The late sizes that steps set.
  package var sizesSet: Set<String> { KernelProgram.sizesSet(in: steps) }

  static func sizesSet(in steps: [Step]) -> Set<String> {
    var names: Set<String> = []
    KernelProgram.walk(steps) { step in
      switch step {
      case .bindSize(let name, _), .setSize(let name, _): names.insert(name)
      case .loop(let loop): names.formUnion(loop.sizes.map(\.name))
      case .kernel, .branch, .checkSizes: break
      }
    }
    return names
  }

  /// How often each tensor's memory is read: by steps, and as an output.
  package var readers: [TensorID: Int] {
    var count: [TensorID: Int] = [:]
    KernelProgram.walk(steps) { for tensor in $0.reads { count[root(tensor), default: 0] += 1 } }
    for index in tensors.indices {
      if case .output = tensors[index].kind { count[TensorID(index), default: 0] += 1 }
    }
    return count
  }

  /// How many steps write each tensor's memory.
  package var writers: [TensorID: Int] {
    var count: [TensorID: Int] = [:]
    KernelProgram.walk(steps) { for tensor in $0.writes { count[root(tensor), default: 0] += 1 } }
    return count
  }
}
