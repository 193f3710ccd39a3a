import MLCCore

/// Replaces a load of an intermediate tensor by the expression that computes its element, when the expression has no
/// reduction and is not evaluated more often for it (unless it is cheap). The producer then has no reader left.
struct InlineProducers {
  var program: KernelProgram
  private let target: any Target
  private var readers: [TensorID: Int]
  private let writers: [TensorID: Int]
  /// Expressions do not grow beyond this many nodes.
  private let sizeLimit = 256
  /// Nor do they with all their indices, which reshapes and reflections use several times over.
  private let extentLimit = 2048

  init(_ program: KernelProgram, for target: any Target) {
    (self.program, self.target) = (program, target)
    (readers, writers) = (program.readers, program.writers)
  }

  /// The program with producers inlined; dead ones still there.
  mutating func run() -> KernelProgram {
    program.steps = rewritten(program.steps, visible: [:])
    return program
  }

  private mutating func rewritten(
    _ steps: [KernelProgram.Step],
    visible: [TensorID: Kernel]
  ) -> [KernelProgram.Step] {
    var maps = visible
    var result: [KernelProgram.Step] = []
    for step in steps {
      switch step {
      case .kernel(var kernel):
        while let next = inlineOne(kernel, maps) { kernel = next }
        if let map = ElementMap(kernel, in: program), writers[program.root(map.output)] == 1 {
          maps[map.output] = kernel
        }
        result.append(.kernel(kernel))
      case .branch, .loop, .bindSize, .setSize, .checkSizes:
        result.append(step.mapBlocks { rewritten($0, visible: [:]) })
      }
    }
    return result
  }

  /// `consumer` with one producer's expression in place of its loads, or `nil` when there is none to inline.
  private mutating func inlineOne(_ consumer: Kernel, _ maps: [TensorID: Kernel]) -> Kernel? {
    for (position, param) in consumer.params.enumerated() where param.access == .read {
      let root = program.root(param.tensor)
      guard let producer = maps[root], let map = ElementMap(producer, in: program), map.output == root,
        case .temporary = program[root].kind
      else { continue }
      if let inlined = view(map, producer, as: position, of: consumer) { return inlined }
      guard isReadOnlyByScalars(position, consumer), isWorthwhile(map, root: root, position, consumer) else { continue }
      if let inlined = substitute(map, producer, for: position, in: consumer),
        !inlined.computesScattered || consumer.computesScattered || producer.computesScattered
      {
        readers[root, default: 1] -= 1
        return inlined
      }
    }
    return nil
  }

  /// Operands of contractions and routines are tensors, not expressions.
  private func isReadOnlyByScalars(_ position: Int, _ kernel: Kernel) -> Bool {
    switch kernel.body {
    case .loopNest: true
    case .matmul(let m): m.lhs.param != position && m.rhs.param != position
    case .convolution(let c): c.x != position && c.weight != position
    case .attention(let a): !a.params.contains(position)
    case .routine: false
    }
  }

  private func isWorthwhile(_ map: ElementMap, root: TensorID, _ position: Int, _ consumer: Kernel) -> Bool {
    let sites = consumer.scalars.reduce(0) { $0 + $1.loads.filter { $0.param == position }.count }
    let size = consumer.scalars.reduce(0) { $0 + $1.size } + sites * map.value.size
    if size > sizeLimit { return false }
    if map.value.cost <= 3 { return true }
    guard readers[root, default: 0] <= 1 else { return false }
    let evaluations = evaluations(position, consumer, elements: program[root].shape)
    return evaluations * (isGathered(position, consumer) ? Self.gathering : 1) <= 1.01 || map.value.cost <= 6
  }

  /// How many times as long as where vectors run a computation takes whose places data decides, one by one.
  private static let gathering = 4.0

  /// Whether data decides where the tensor is read.
  private func isGathered(_ position: Int, _ consumer: Kernel) -> Bool {
    consumer.scalars.contains { scalar in
      scalar.loads.contains { $0.param == position && Scalar.load(param: position, $0.index).loads.count > 1 }
    }
  }

  /// How often each element of the tensor is read by `consumer`, on average; large when sizes do not tell.
  private func evaluations(_ position: Int, _ consumer: Kernel, elements shape: [Dim]) -> Double {
    var points: Dim = 0
    switch consumer.body {
    case .loopNest(let nest):
      for stage in nest.stages {
        let (axes, value): ([Axis], Scalar) =
          switch stage {
          case .reduce(_, let axes, let value): (axes, value)
          case .compute(let value): ([], value)
          case .store(_, _, let axes, let value): (axes, value)
          }
        // Loads at one and the same position are one evaluation: the compiler shares them.
        let sites = Set(value.loads.filter { $0.param == position }.map { $0.index }).count
        points = points + (nest.axes + axes).map(\.extent).reduce(1, *) * Dim(sites)
      }
    case .matmul(let m):
      points = (m.batch + [m.m, m.n]).map(\.extent).reduce(1, *)
    case .convolution(let c):
      points = program[consumer.params[c.output].tensor].shape.reduce(1, *)
    case .attention(let a):
      points = (a.batch + [a.m, a.n]).map(\.extent).reduce(1, *)
    case .routine: return .infinity
    }
    let elements = shape.reduce(1, *)
    if points == elements { return 1 }
    let sizes = Dictionary(uniqueKeysWithValues: points.symbols.union(elements.symbols).map { ($0, 16) })
    guard let p = points.evaluate(sizes), let e = elements.evaluate(sizes), e > 0 else { return .infinity }
    return Double(p) / Double(e)
  }

  private func substitute(_ map: ElementMap, _ producer: Kernel, for position: Int, in consumer: Kernel) -> Kernel? {
    let loaded = consumer.params[position].tensor
    var kernel = consumer
    var numbers: [Int: Int] = [:]
    for (old, param) in producer.params.enumerated() where param.access == .read {
      if let known = kernel.params.firstIndex(where: { $0.tensor == param.tensor }) {
        if kernel.params[known].access == .write { return nil }
        numbers[old] = known
      } else {
        kernel.params.append(param)
        numbers[old] = kernel.params.count - 1
      }
    }
    let value = map.value.rewritten {
      if case .load(let p, let index) = $0 { .load(param: numbers[p]!, index) } else { $0 }
    }
    let target = program[map.output].shape
    let source = program[loaded].shape
    var isPossible = true
    let params = kernel.params
    kernel.rewriteScalars { node in
      guard case .load(let p, let index) = node, p == position else { return node }
      guard let moved = source == target ? index : ReshapeMap.indices(of: target, from: index, over: source) else {
        isPossible = false
        return node
      }
      if source != target && moved.contains(where: { $0.affine == nil }) { isPossible = false }
      let axes = Dictionary(uniqueKeysWithValues: zip(map.axes.map(\.id), moved))
      return value.substituting(axes).rounded(to: program[map.output].dtype, params: params, program)
    }
    guard isPossible, !kernel.isLarger(than: extentLimit) else { return nil }
    kernel.origins = producer.origins + kernel.origins.filter { !producer.origins.contains($0) }
    kernel.family = Kernel.familyName(producer.family, kernel.family)
    kernel.dropUnusedParams()
    return self.target.takesFused(kernel, in: program) ? kernel : nil
  }

  /// Whether an operand of type `own` may stand for one of type `dtype`: an attention widens its operands itself.
  private func canRead(_ own: DType, as dtype: DType, _ consumer: Kernel) -> Bool {
    if case .attention = consumer.body { return own == dtype || own.widened == dtype }
    return own == dtype
  }

  /// An operand of a matmul or an attention that is only a rearrangement of another tensor is read in place.
  private func view(_ map: ElementMap, _ producer: Kernel, as position: Int, of consumer: Kernel) -> Kernel? {
    guard case .load(let p, let index) = map.value, index.allSatisfy({ $0.affine != nil }),
      canRead(program[producer.params[p].tensor].dtype, as: program[map.output].dtype, consumer),
      case .plain = program[producer.params[p].tensor].layout,
      !consumer.scalars.contains(where: { $0.loads.contains { $0.param == position } })
    else { return nil }
    let loaded = consumer.params[position].tensor
    let (target, source) = (program[map.output].shape, program[loaded].shape)
    var kernel = consumer
    kernel.params.append(Kernel.Param(producer.params[p].tensor, .read))
    func moved(_ access: Matmul.Access) -> Matmul.Access? {
      guard access.param == position else { return access }
      guard
        let place = source == target ? access.index : ReshapeMap.indices(of: target, from: access.index, over: source)
      else { return nil }
      let axes = Dictionary(uniqueKeysWithValues: zip(map.axes.map(\.id), place))
      let result = index.map { $0.substituting(axes) }
      return result.allSatisfy { $0.affine != nil } ? Matmul.Access(kernel.params.count - 1, result) : nil
    }
    switch consumer.body {
    case .matmul(var matmul):
      guard let lhs = moved(matmul.lhs), let rhs = moved(matmul.rhs) else { return nil }
      (matmul.lhs, matmul.rhs) = (lhs, rhs)
      kernel.body = .matmul(matmul)
    case .attention(var attention):
      guard let query = moved(attention.query), let key = moved(attention.key), let value = moved(attention.value)
      else { return nil }
      (attention.query, attention.key, attention.value) = (query, key, value)
      kernel.body = .attention(attention)
    case .loopNest, .convolution, .routine: return nil
    }
    kernel.origins = producer.origins + kernel.origins
    kernel.dropUnusedParams()
    return self.target.takesFused(kernel, in: program) ? kernel : nil
  }
}

extension Scalar {
  /// What reading this back from a tensor of `dtype` gives: integers keep their width, floats their value.
  fileprivate func rounded(to dtype: DType, params: [Kernel.Param], _ program: KernelProgram) -> Scalar {
    let own = self.dtype(params: params.map { program[$0.tensor].dtype }, stages: [])
    return own == dtype.widened ? self : .cast(self, dtype.widened)
  }
}

extension Kernel {
  /// `conv` and `relu` make `conv_relu`; long names are cut at the front part.
  static func familyName(_ a: String, _ b: String) -> String {
    let parts = (a.split(separator: "_") + b.split(separator: "_")).map(String.init)
    return parts.count <= 6 ? parts.joined(separator: "_") : (parts.prefix(3) + parts.suffix(3)).joined(separator: "_")
  }
}
