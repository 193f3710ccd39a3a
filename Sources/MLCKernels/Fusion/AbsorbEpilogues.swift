import MLCCore

/// Moves a map into the kernel that computes its operand: bias, activation and residual of a contraction, and what
/// follows a softmax or a norm. The fused kernel runs where the map ran, so every other operand is ready.
struct AbsorbEpilogues {
  var program: KernelProgram
  private let target: any Target
  private let writers: [TensorID: Int]
  private var readers: [TensorID: Int]

  init(_ program: KernelProgram, for target: any Target) {
    (self.program, self.target) = (program, target)
    (readers, writers) = (program.readers, program.writers)
  }

  mutating func run() -> KernelProgram {
    program.steps = fused(program.steps)
    return program
  }

  private mutating func fused(_ steps: [KernelProgram.Step]) -> [KernelProgram.Step] {
    var result: [KernelProgram.Step?] = []
    var producers: [TensorID: Int] = [:]
    for step in steps {
      switch step {
      case .kernel(var kernel):
        if let (place, joined) = join(kernel, result, producers) {
          result[place] = nil
          kernel = joined
        }
        for param in kernel.params where param.access == .write { producers[program.root(param.tensor)] = result.count }
        result.append(.kernel(kernel))
      case .branch, .loop, .bindSize, .setSize, .checkSizes: result.append(step.mapBlocks { fused($0) })
      }
    }
    return result.compactMap { $0 }
  }

  /// The producer that `kernel` can be joined to, the latest first, and the result.
  private mutating func join(
    _ kernel: Kernel,
    _ steps: [KernelProgram.Step?],
    _ producers: [TensorID: Int]
  ) -> (Int, Kernel)? {
    guard let map = ElementMap(kernel, in: program) else { return nil }
    let candidates = kernel.params.enumerated().filter { $0.element.access == .read }.compactMap { (position, param) in
      producers[program.root(param.tensor)].map { (position, $0) }
    }
    for (position, place) in candidates.sorted(by: { $0.1 > $1.1 }) {
      guard case .kernel(let producer)? = steps[place] else { continue }
      if let joined = absorb(map, kernel, position, into: producer) { return (place, joined) }
    }
    return nil
  }

  private mutating func absorb(
    _ map: ElementMap,
    _ consumer: Kernel,
    _ position: Int,
    into producer: Kernel
  ) -> Kernel? {
    // A convolution's results do not lie over what its epilogue reads, as a state that is changed in place would.
    if case .convolution = producer.body, program.updatesState(consumer) { return nil }
    let loaded = consumer.params[position].tensor
    let root = program.root(loaded)
    guard case .temporary = program[root].kind, readers[root] == 1, writers[root] == 1,
      let place = Epilogue(of: producer, writing: root, in: program),
      program[root].dtype.isFloat || place.isExact(producer, program[root].dtype, in: program)
    else { return nil }
    // Bytes that are widened alone are stored as bytes: what uses them widens them too.
    if program[root].dtype.bitWidth == 8, program[map.output].dtype.bitWidth > 8 { return nil }
    // The map must read the tensor at its own position and nowhere else.
    let (own, result) = (program[loaded].shape, program[root].shape)
    guard own == map.axes.map(\.extent) else { return nil }
    let identity = map.axes.map { Index.axis($0.id) }
    guard map.value.loads.allSatisfy({ $0.param != position || $0.index == identity }) else { return nil }
    guard map.value.size * place.value.size < 400 else { return nil }
    guard let axes = own == result ? place.axes : ReshapeMap.indices(of: own, from: place.axes, over: result) else {
      return nil
    }
    // What follows a convolution reads at its positions, of which a reshape may only leave out those that are all 0.
    if own != result, case .convolution = producer.body, !Set(axes).isSubset(of: place.axes + [.constant(0)]) {
      return nil
    }
    var kernel = producer
    guard let written = kernel.params.firstIndex(where: { $0.tensor == root }) else { return nil }
    let output = relocated(map.output, to: result)
    kernel.params[written] = Kernel.Param(output, .write)
    var numbers: [Int: Int] = [:]
    for (old, param) in consumer.params.enumerated() where param.access == .read && old != position {
      let known = kernel.params.firstIndex { $0.tensor == param.tensor }
      numbers[old] = known ?? kernel.params.count
      if known == nil { kernel.params.append(param) }
    }
    let positions = Dictionary(uniqueKeysWithValues: zip(map.axes.map(\.id), axes))
    let value = map.value.substituting(positions).rewritten {
      guard case .load(let p, let index) = $0 else { return $0 }
      return p == position ? place.value : .load(param: numbers[p]!, index)
    }
    place.replace(in: &kernel, by: value)
    guard target.takesFused(kernel, in: program) else {
      if output != map.output { putBack(map.output, relocatedTo: output) }
      return nil
    }
    kernel.origins = producer.origins + consumer.origins.filter { !producer.origins.contains($0) }
    kernel.family = Kernel.familyName(producer.family, consumer.family)
    return kernel
  }

  /// Undoes `relocated`.
  private mutating func putBack(_ tensor: TensorID, relocatedTo last: TensorID) {
    program[tensor].kind = program[last].kind
    program.tensors.removeLast()
    readers[last] = nil
  }

  /// A tensor of shape `shape` whose memory `tensor` is: itself, or a new one that `tensor` becomes an alias of.
  private mutating func relocated(_ tensor: TensorID, to shape: [Dim]) -> TensorID {
    let old = program[tensor]
    if old.shape == shape { return tensor }
    let new = program.add(KernelTensor(old.name, old.dtype, shape, old.kind))
    program[tensor].kind = .alias(of: new)
    readers[new] = readers[tensor]
    return new
  }
}

/// The place in a kernel where its result is stored: an epilogue, or the final store of a loop nest.
private struct Epilogue {
  var value: Scalar
  /// The position in the result, dimension by dimension.
  var axes: [Index]
  private var stage: Int?

  init?(of kernel: Kernel, writing root: TensorID, in program: KernelProgram) {
    let written = kernel.params.indices.filter { kernel.params[$0].access != .read }
    guard written.count == 1, kernel.params[written[0]].tensor == root, kernel.params[written[0]].access == .write
    else { return nil }
    switch kernel.body {
    case .convolution(let c): (value, axes) = (c.epilogue, program[root].shape.indices.map { .axis($0) })
    case .matmul(let m):
      let all = m.batch + [m.m, m.n]
      guard ElementMap.isIdentity(m.output.index, all, shape: program[root].shape) else { return nil }
      (value, axes) = (m.epilogue, m.output.index)
    case .loopNest(let nest):
      guard let last = nest.stages.indices.last, last > 0,
        case .store(_, let index, let inner, let stored) = nest.stages[last],
        ElementMap.isIdentity(index, nest.axes + inner, shape: program[root].shape),
        !stored.loads.contains(where: { kernel.params[$0.param].tensor == root })
      else { return nil }
      (value, axes, stage) = (stored, index, last)
    case .attention, .routine: return nil
    }
  }

  /// Whether the value is one of `dtype`, an integer type, before it is stored: narrow arithmetic wraps as it is.
  func isExact(_ kernel: Kernel, _ dtype: DType, in program: KernelProgram) -> Bool {
    if case .cast(_, let t) = value { return t == dtype }
    if stage != nil || dtype != .int32 { return false }
    let params = kernel.params.map { program[$0.tensor].dtype }
    return value.dtype(params: params, stages: [], accumulator: kernel.accumulatorType(in: program)) == .int32
  }

  func replace(in kernel: inout Kernel, by value: Scalar) {
    switch kernel.body {
    case .convolution(var c):
      c.epilogue = value
      kernel.body = .convolution(c)
    case .matmul(var m):
      m.epilogue = value
      kernel.body = .matmul(m)
    case .loopNest(var nest):
      guard let stage, case .store(let param, let index, let axes, _) = nest.stages[stage] else { return }
      nest.stages[stage] = .store(param: param, index: index, axes: axes, value: value)
      kernel.body = .loopNest(nest)
    case .attention, .routine: break
    }
  }
}
