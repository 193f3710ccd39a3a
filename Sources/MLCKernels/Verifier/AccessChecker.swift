import MLCCore

/// Checks one kernel at a time: structure, and that it stays within its tensors.
struct AccessChecker: Sendable {
  let program: KernelProgram
  var sizes: SizeFacts
  /// Whether what is not proved may be required of the sizes: as long as nothing was rewritten.
  let isLowered: Bool
  /// Whether a condition that the sizes may decide stands before the kernel: then no size has to fit it.
  var isConditional = false
  private let required: Set<SizeRequirement>

  init(_ program: KernelProgram, isLowered: Bool) {
    (self.program, self.isLowered) = (program, isLowered)
    sizes = SizeFacts(program)
    required = Set(program.requirements)
  }

  func check(_ kernel: Kernel) -> [Verdict] {
    if let problem = structureProblem(kernel) { return [.broken(problem)] }
    switch kernel.body {
    case .loopNest(let nest): return check(nest, kernel)
    case .matmul(let matmul): return check(matmul, kernel)
    case .attention(let attention): return check(attention, kernel)
    case .convolution(let convolution): return check(convolution, kernel)
    case .routine(let routine): return check(routine, kernel)
    }
  }

  var hasOpenSizes: Bool { !program.symbols.isEmpty }

  func scope(_ loops: [Axis]) -> IndexScope {
    var scope = IndexScope(loops, sizes)
    scope.hasOtherGuards = isConditional
    return scope
  }

  func shape(_ param: Int, _ kernel: Kernel) -> [Dim] { program[kernel.params[param].tensor].shape }

  // MARK: Structure

  /// What makes no sense whatever the sizes are.
  private func structureProblem(_ kernel: Kernel) -> String? {
    for param in kernel.params where !program.tensors.indices.contains(param.tensor.index) {
      return "has a parameter that is no tensor: \(param.tensor.index)"
    }
    for (position, param) in kernel.params.enumerated() where param.access != .read {
      let root = program.root(param.tensor)
      switch program[root].kind {
      case .constant, .compressed, .input: return "writes '\(program[root].name)', which is not its to write"
      case .output, .temporary, .alias: break
      }
      let others = kernel.params.enumerated().filter { $0.offset != position }
      if others.contains(where: { program.root($0.element.tensor) == root }) {
        return "has '\(program[root].name)', which it writes, as two parameters"
      }
    }
    for name in unsetSizes(of: kernel).sorted() { return "uses the size '\(name)' before it is set" }
    return nil
  }

  /// Sizes that the kernel's loops and tensors name and that have no value yet.
  private func unsetSizes(of kernel: Kernel) -> Set<String> {
    var names = kernel.params.reduce(into: Set<String>()) { names, param in
      for extent in program[param.tensor].shape { names.formUnion(extent.symbols) }
    }
    for axis in kernel.loops { names.formUnion(axis.extent.symbols) }
    return names.subtracting(sizes.bound)
  }

  // MARK: Loop nests

  private func check(_ nest: LoopNest, _ kernel: Kernel) -> [Verdict] {
    var verdicts: [Verdict] = []
    var extents: [Int: Dim] = [:]
    for axis in nest.axes where extents.updateValue(axis.extent, forKey: axis.id) != nil {
      return [.broken("has two loops \(axis.id)")]
    }
    let outer = Set(nest.axes.map(\.id))
    for (number, stage) in nest.stages.enumerated() {
      let (inner, value) = stage.loopsAndValue
      for axis in inner {
        if outer.contains(axis.id) { return [.broken("has a loop \(axis.id) inside itself")] }
        if let known = extents.updateValue(axis.extent, forKey: axis.id), known != axis.extent {
          return [.broken("has loops \(axis.id) of different extents, \(known) and \(axis.extent)")]
        }
      }
      let scope = scope(nest.axes + inner)
      let stages = Set(nest.stages.prefix(number).enumerated().filter { $0.element.hasResult }.map(\.offset))
      verdicts += loads(in: value, kernel, scope, stages: stages)
      guard case .store(let param, let index, _, _) = stage else { continue }
      if !kernel.params.indices.contains(param) || kernel.params[param].access == .read {
        return [.broken("stores to a parameter that it only reads")]
      }
      verdicts.append(access(param, index, kernel, scope, "stores to"))
    }
    return verdicts
  }

  // MARK: Expressions

  /// Every load of `value` and what its indices compute; `stages` may be read, `accumulator` where there is one.
  func loads(
    in value: Scalar,
    _ kernel: Kernel,
    _ scope: IndexScope,
    stages: Set<Int> = [],
    hasAccumulator: Bool = false
  ) -> [Verdict] {
    func parts(_ scalars: [Scalar], _ scope: IndexScope) -> [Verdict] {
      scalars.flatMap { loads(in: $0, kernel, scope, stages: stages, hasAccumulator: hasAccumulator) }
    }
    switch value {
    case .constant, .integer: return []
    case .accumulator: return hasAccumulator ? [] : [.broken("has no sum of products to read")]
    case .stage(let k): return stages.contains(k) ? [] : [.broken("reads stage \(k), which gives no number")]
    case .unary(_, let x), .cast(let x, _): return parts([x], scope)
    case .binary(_, let x, let y), .compare(_, let x, let y): return parts([x, y], scope)
    case .index(let index, _): return parts(index.values, scope) + unnamed(index, scope)
    case .select(let condition, let x, let y):
      var guarded = scope
      if let guards = IndexGuard.conjuncts(of: condition) {
        guarded.guards += guards
      } else {
        guarded.hasOtherGuards = true
      }
      var other = scope
      other.hasOtherGuards = true
      return parts([condition], scope) + parts([x], guarded) + parts([y], other)
    case .load(let param, let index):
      guard kernel.params.indices.contains(param) else { return [.broken("loads parameter \(param) of none")] }
      if kernel.params[param].access == .write { return [.broken("loads what it is only to write")] }
      return parts(index.flatMap(\.values), scope) + [access(param, index, kernel, scope, "loads from")]
    }
  }

  private func unnamed(_ index: Index, _ scope: IndexScope) -> [Verdict] {
    index.axes.subtracting(scope.axes.keys).sorted().map { .broken("uses loop \($0) outside of it") }
  }

  /// Whether the element at `index` of a parameter is there.
  func access(_ param: Int, _ index: [Index], _ kernel: Kernel, _ scope: IndexScope, _ verb: String) -> Verdict {
    let tensor = program[kernel.params[param].tensor]
    guard index.count == tensor.shape.count else {
      return .broken("\(verb) '\(tensor.name)' of rank \(tensor.shape.count) at \(index.count) indices")
    }
    var weakest = Verdict.holds
    var wanted: [SizeRequirement] = []
    for (axis, position) in index.enumerated() {
      if let outside = unnamed(position, scope).first { return outside }
      if !position.values.isEmpty {
        // The target clamps what data decides, but only where it loads.
        if verb == "stores to" { return .broken("stores to '\(tensor.name)' where data says") }
        continue
      }
      let extent = sizes.resolved(tensor.shape[axis])
      if scope.keeps(position, within: extent, sizes) { continue }
      if let verdict = requirement(scope.needs(position, within: extent, sizes)) {
        if case .requires(let items) = verdict { wanted += items }
        continue
      }
      let place = "\(verb) '\(tensor.name)' \(tensor.type), axis \(axis)"
      switch PointSearch(scope, sizes).check(position, within: extent) {
      case .holds, .requires: continue
      case .unproven: weakest = .unproven(place)
      case .broken(let position): return .broken("\(place), at \(position)")
      }
    }
    return wanted.isEmpty ? weakest : .requires(wanted)
  }
}

extension AccessChecker {
  /// `.holds` where the sizes are known to keep `items`, `.requires` where they can be made to.
  func requirement(_ items: [SizeRequirement]?) -> Verdict? {
    guard let items, items.allSatisfy({ $0.value.constant == nil }) else { return nil }
    if items.allSatisfy(required.contains) { return .holds }
    return isLowered && !isConditional ? .requires(items) : nil
  }
}

extension LoopNest.Stage {
  var loopsAndValue: (loops: [Axis], value: Scalar) {
    switch self {
    case .reduce(_, let axes, let value), .store(_, _, let axes, let value): (axes, value)
    case .compute(let value): ([], value)
    }
  }

  var hasResult: Bool { if case .store = self { false } else { true } }
}

extension Index {
  /// What data decides in it.
  var values: [Scalar] {
    switch self {
    case .dim, .axis: []
    case .sum(let a, let b): a.values + b.values
    case .product(let a, _), .floorDiv(let a, _), .mod(let a, _): a.values
    case .value(let scalar): [scalar]
    }
  }

  /// The loops that it names outside of what data decides.
  var axes: Set<Int> {
    switch self {
    case .dim, .value: []
    case .axis(let id): [id]
    case .sum(let a, let b): a.axes.union(b.axes)
    case .product(let a, _), .floorDiv(let a, _), .mod(let a, _): a.axes
    }
  }
}

extension Kernel {
  /// Every loop of the body; a convolution's and a routine's are their tensors' shapes.
  var loops: [Axis] {
    switch body {
    case .loopNest(let nest): nest.axes + nest.stages.flatMap { $0.loopsAndValue.loops }
    case .matmul(let m): m.batch + [m.m, m.n, m.k]
    case .attention(let a): a.batch + [a.m, a.n, a.k, a.f]
    case .convolution, .routine: []
    }
  }
}
