import MLCCore

extension KernelProgram {
  /// Computes tensors anew where they are read late, instead of keeping them, as long as the most memory that
  /// temporaries take at one time becomes less. Only what cheap kernels make is computed twice, by the same kernel, so
  /// that results keep their bits; and at most as many tensors as there are steps.
  ///
  /// Source: Griewank and Walther, "Evaluating Derivatives", 2nd edition, SIAM 2008, chapter 12; Chen, Xu, Zhang,
  /// Guestrin, "Training Deep Nets with Sublinear Memory Cost", 2016.
  package mutating func recompute() {
    var next = self
    for _ in steps {
      guard let step = Recomputation(next).best else { break }
      next.apply(step)
    }
    let (before, after) = (MemoryPlan(self), MemoryPlan(next))
    if before.offsets == nil || after.arenaBytes < before.arenaBytes { self = next }
  }

  /// Has a copy of the kernel at `step.source` run before `step.reader`, and that step and the later ones read what the
  /// copy writes.
  private mutating func apply(_ step: Recomputation.Step) {
    var copies: [TensorID: TensorID] = [:]
    for id in tensors.indices.map(TensorID.init) where root(id) == step.tensor { addCopy(of: id, &copies) }
    let late = ([steps[step.source]] + steps[step.reader...]).map { $0.mapTensors { copies[$0] ?? $0 } }
    steps = steps[..<step.reader] + late
  }

  private mutating func addCopy(of id: TensorID, _ copies: inout [TensorID: TensorID]) {
    guard copies[id] == nil else { return }
    var copy = self[id]
    if case .alias(let target) = copy.kind {
      addCopy(of: target, &copies)
      copy.kind = .alias(of: copies[target] ?? target)
    }
    copies[id] = add(copy)
  }
}

/// What may be computed twice, and what that is worth. Sizes that the caller decides count as `usualExtent`.
private struct Recomputation {
  /// The kernel that writes `tensor`, and the reader from which on its copy is read.
  struct Step { var tensor: TensorID, source: Int, reader: Int }

  /// A temporary: its bytes, the steps that touch it, in order, and how many of them write it.
  private struct Life {
    var bytes = 0
    var touches: [Int] = []
    var writers = 0
    var last: Int { touches.last ?? 0 }
  }
  private static let usualExtent = 16
  /// A kernel is cheap when it takes no more operations for each element of its result.
  private static let operationLimit = 32

  private let program: KernelProgram
  private var lives: [TensorID: Life] = [:]
  /// Bytes in use during each step.
  private var used: [Int]

  init(_ program: KernelProgram) {
    self.program = program
    used = [Int](repeating: 0, count: program.steps.count)
    for number in program.steps.indices {
      let uses = Uses(program, number..<number + 1)
      for root in uses.tensors {
        guard case .temporary = program[root].kind else { continue }
        lives[root, default: Life()].touches.append(number)
        if uses.written.contains(root) { lives[root, default: Life()].writers += 1 }
      }
    }
    for root in lives.keys {
      let bytes = size(program.plannedBytes(program[root]))
      lives[root]?.bytes = MemoryPlan.padded(bytes)
      for step in (lives[root]?.touches[0] ?? 0)...(lives[root]?.last ?? 0) { used[step] += MemoryPlan.padded(bytes) }
    }
  }

  private func size(_ dim: Dim) -> Int {
    let sizes = Dictionary(uniqueKeysWithValues: dim.symbols.map { ($0, Dim(Recomputation.usualExtent)) })
    return dim.substituting(sizes).constant ?? 0
  }

  /// What lowers the most memory in use by most.
  var best: Step? {
    guard let peak = used.indices.max(by: { used[$0] < used[$1] }) else { return nil }
    var (best, most): (Step?, Int) = (nil, 0)
    for (root, life) in lives.sorted(by: { $0.key.index < $1.key.index }) where life.writers == 1 && life.bytes > most {
      guard let place = life.touches.firstIndex(where: { $0 > peak }), place > 0, life.touches[place - 1] < peak else {
        continue
      }
      let step = Step(tensor: root, source: life.touches[0], reader: life.touches[place])
      guard let saved = saving(step, from: life.touches[place - 1], at: peak), saved > most else { continue }
      (best, most) = (step, saved)
    }
    return best
  }

  /// By how many bytes `step` lowers what is in use during `peak`; `nil` where it may not be taken, or where another
  /// step would need more memory than that one does now.
  private func saving(_ step: Step, from previous: Int, at peak: Int) -> Int? {
    guard case .kernel(let kernel) = program.steps[step.source], isCheap(kernel), let life = lives[step.tensor] else {
      return nil
    }
    var kept: [Life] = []
    for root in Set(kernel.params.map { program.root($0.tensor) }) where root != step.tensor {
      guard case .temporary = program[root].kind else { continue }
      guard let life = lives[root], life.writers == 1 else { return nil }
      if life.last < step.reader { kept.append(life) }
    }
    // What the kernel reads is in use up to the reader then, beside the copy.
    for number in previous + 1...step.reader {
      let more = kept.reduce(0) { $0 + ($1.last < number ? $1.bytes : 0) }
      let less = number < step.reader ? life.bytes : 0
      if used[number] + more - less > used[peak] { return nil }
    }
    return life.bytes - kept.reduce(0) { $0 + ($1.last < peak ? $1.bytes : 0) }
  }

  private func isCheap(_ kernel: Kernel) -> Bool {
    guard case .loopNest = kernel.body, let operations = kernel.operations(in: program) else { return false }
    guard kernel.params.allSatisfy({ $0.access != .readWrite && isFixed($0.tensor) }) else { return false }
    let results = kernel.results(in: program)
    guard results.count == 1 else { return false }
    return size(operations) <= size(results[0].shape.reduce(1, *)) * Recomputation.operationLimit
  }

  /// Whether its extents do not change as the program runs.
  private func isFixed(_ tensor: TensorID) -> Bool {
    let late = Set(program.lateSymbols.map { $0.name })
    return program[tensor].shape.allSatisfy { late.isDisjoint(with: $0.symbols) }
  }
}
