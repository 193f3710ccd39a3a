import MLCCore

/// Memory that outlives a run: an input brings its contents, an output takes them on.
package struct StateMemory: Sendable {
  /// Places among the function's inputs and outputs.
  package let input: Int, output: Int
  /// The tensors there, where one memory may be both.
  package internal(set) var shared: (input: TensorID, output: TensorID)?

  package init(input: Int, output: Int) { (self.input, self.output) = (input, output) }
}

extension KernelProgram {
  /// The numbers of the states that are changed in place.
  package var statesInPlace: [Int] { states.indices.filter { states[$0].shared != nil } }

  /// Finds the states whose output may have the memory of their input: one kernel writes it, after all that reads what
  /// was there, and that kernel reads an element of it only for what it stores in its place. Kernels that write a state
  /// before others read it go behind these where nothing keeps them.
  package mutating func placeStates() {
    if states.isEmpty { return }
    var (inputs, outputs) = ([Int: TensorID](), [Int: TensorID]())
    for number in tensors.indices {
      if case .input(let place) = tensors[number].kind { inputs[place] = TensorID(number) }
      if case .output(let place) = tensors[number].kind { outputs[place] = TensorID(number) }
    }
    var order = StepOrder(self)
    for number in states.indices {
      guard let input = inputs[states[number].input], let output = outputs[states[number].output] else { continue }
      states[number].shared = order.writes(output, over: input) ? (input, output) : nil
    }
    steps = order.program.steps
  }

  /// Whether `kernel` makes a state's next contents of those before.
  func updatesState(_ kernel: Kernel) -> Bool {
    let kinds = kernel.params.map { self[root($0.tensor)].kind }
    return states.contains { state in
      kinds.contains { if case .input(state.input) = $0 { true } else { false } }
        && kinds.contains { if case .output(state.output) = $0 { true } else { false } }
    }
  }
}

/// The order of a program's steps, and who reads and writes what.
private struct StepOrder {
  private(set) var program: KernelProgram
  private var uses: [Uses] = []
  private var writers: [TensorID: [Int]] = [:]
  private var last: [TensorID: Int] = [:]
  /// The inputs that outputs lie over.
  private var shared: [TensorID: TensorID] = [:]

  init(_ program: KernelProgram) {
    self.program = program
    number()
  }

  private mutating func number() {
    uses = program.steps.indices.map { Uses(program, $0..<$0 + 1) }
    (writers, last) = ([:], [:])
    for (step, use) in uses.enumerated() {
      for tensor in use.written { writers[tensor, default: []].append(step) }
      for tensor in use.tensors { last[tensor] = step }
    }
  }

  /// Whether `output` may lie where `input` does, its writer moved if need be.
  mutating func writes(_ output: TensorID, over input: TensorID) -> Bool {
    guard let found = writers[output], found.count == 1, case .kernel(let kernel) = program.steps[found[0]],
      writers[input] == nil, kernel.reads(input, onlyForPlacesOf: output, in: program)
    else { return false }
    let (writer, end) = (found[0], last[input] ?? 0)
    if end > writer {
      guard (writer + 1...end).allSatisfy({ isFree(writer, of: $0) }) else { return false }
      program.steps.insert(program.steps.remove(at: writer), at: end)
      number()
    }
    shared[output] = input
    return true
  }

  /// Whether kernel `later` may run before `earlier`.
  private func isFree(_ earlier: Int, of later: Int) -> Bool {
    guard case .kernel = program.steps[later] else { return false }
    func memory(_ tensors: some Sequence<TensorID>) -> Set<TensorID> { Set(tensors.map { shared[$0] ?? $0 }) }
    return memory(uses[earlier].tensors).isDisjoint(with: memory(uses[later].written))
      && memory(uses[later].tensors).isDisjoint(with: memory(uses[earlier].written))
  }
}

extension Kernel {
  /// Whether it reads an element of `input` only to compute the one at the same place of `output`.
  fileprivate func reads(_ input: TensorID, onlyForPlacesOf output: TensorID, in program: KernelProgram) -> Bool {
    let readers = Set(params.indices.filter { program.root(params[$0].tensor) == input })
    if readers.isEmpty { return true }
    guard program[input].dtype == program[output].dtype else { return false }
    func address(_ param: Int, _ index: [Index], _ axes: [Axis]) -> AffineIndex? {
      program[params[param].tensor].address(index, axes)
    }
    func stores(_ value: Scalar, at index: [Index], of param: Int, _ axes: [Axis]) -> Bool {
      guard let place = address(param, index, axes) else { return false }
      return value.loads.allSatisfy { !readers.contains($0.param) || address($0.param, $0.index, axes) == place }
    }
    switch body {
    case .loopNest(let nest):
      return nest.stages.allSatisfy { stage in
        if case .store(let param, let index, let own, let value) = stage, program.root(params[param].tensor) == output {
          return stores(value, at: index, of: param, nest.axes + own)
        }
        return !stage.value.loads.contains { readers.contains($0.param) }
      }
    case .matmul(let m):
      return readers.isDisjoint(with: [m.lhs.param, m.rhs.param])
        && stores(m.epilogue, at: m.output.index, of: m.output.param, m.batch + [m.m, m.n])
    case .convolution, .attention, .routine: return false
    }
  }
}

extension KernelTensor {
  /// Where an element lies, in elements; `nil` where elements do not lie in their order, or that is not affine.
  fileprivate func address(_ index: [Index], _ axes: [Axis]) -> AffineIndex? {
    guard case .plain = layout else { return nil }
    let single = axes.filter { $0.extent == 1 }.map { ($0.id, Index.constant(0)) }
    let fixed = Dictionary(single) { first, _ in first }
    var place = Index.constant(0)
    for (extent, position) in zip(shape, index) { place = place * extent + position.substituting(fixed) }
    return place.affine
  }
}
