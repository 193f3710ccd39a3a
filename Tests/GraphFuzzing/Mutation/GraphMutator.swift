import MLCCompiler
import MLCCore
import MLCGraph
import MLCOps
import TestSupport

/// Changes a case here and there: attributes, constants, extents, element types, operands, operators, open sizes; and
/// what a random graph goes on with behind it.
package struct GraphMutator {
  private var random: SeededGenerator

  package init(_ random: SeededGenerator) { self.random = random }

  /// A case near `item` that has types and gives small results; `nil` when twenty tries found none. Functions with
  /// nested blocks are left alone.
  package mutating func mutated(_ item: GraphCase) -> GraphCase? {
    guard item.function.body.operations.allSatisfy({ $0.blocks.isEmpty }) else { return nil }
    for _ in 0..<20 {
      var draft = GraphDraft(item)
      for _ in 0..<1 + random.below(3) { change(&draft) }
      guard var result = try? draft.assembled(), isSmall(result.function) else { continue }
      if random.chance(0.5) { result = RandomGraph.continued(result, &random) }
      result.label += ", mutated"
      return result
    }
    return nil
  }

  private func isSmall(_ function: Function) -> Bool {
    function.values.allSatisfy { value in
      value.fact.shape.allSatisfy { ($0.constant ?? 1) <= 4096 }
        && value.fact.type.shape.compactMap { $0.constant }.reduce(1, *) <= 1 << 16
    }
  }

  private mutating func change(_ draft: inout GraphDraft) {
    switch random.below(10) {
    case 0...2: changeAttribute(&draft)
    case 3: changeConstant(&draft)
    case 4: changeExtent(&draft)
    case 5: changeType(&draft)
    case 6: changeOperand(&draft)
    case 7, 8: changeOperator(&draft)
    default: if random.chance(0.5) { openSizes(&draft) } else { openOwnSizes(&draft) }
    }
  }

  // MARK: Operations

  private mutating func changeAttribute(_ draft: inout GraphDraft) {
    let choices = draft.operations.indices.filter {
      !draft.operations[$0].inputs.isEmpty && !draft.operations[$0].op.attributes.isEmpty
    }
    guard !choices.isEmpty else { return }
    let index = random.pick(choices)
    var op = draft.operations[index].op
    let attribute = random.pick(op.attributes)
    if op.setAttribute(attribute.name, near(attribute.value)) { draft.operations[index].op = op }
  }

  private mutating func near(_ value: AttributeValue) -> AttributeValue {
    switch value {
    case .int(let number): return .int(near(number))
    case .ints(let numbers): return .ints(near(numbers))
    case .float(let number): return .float(random.pick([0, -number, 2 * number, 1]))
    case .bool(let isSet): return .bool(!isSet)
    case .bools(let flags): return .bools(flags.map { random.chance(0.3) ? !$0 : $0 })
    case .dtype: return .dtype(random.pick([.float16, .float32, .float64, .int32, .int64, .bool, .uint8]))
    case .string(let text):
      return .string(random.pick([text, "reflect", "replicate", "same", "valid", "custom", "TANH_APPROXIMATION"]))
    case .floats, .strings, .tensor: return value
    }
  }

  private mutating func near(_ number: Int) -> Int {
    random.pick([number &+ 1, number &- 1, 0 &- number, 0, 1, 2, number &* 2])
  }

  private mutating func near(_ numbers: [Int]) -> [Int] {
    if numbers.isEmpty || random.chance(0.1) { return numbers + [random.below(3)] }
    if random.chance(0.3) { return random.shuffled(numbers) }
    var numbers = numbers
    let index = random.below(numbers.count)
    numbers[index] = near(numbers[index])
    return numbers
  }

  /// Numbers of a small list of integers (positions, shapes, amounts of padding), or a bit of any other constant.
  private mutating func changeConstant(_ draft: inout GraphDraft) {
    let choices = draft.operations.indices.filter { draft.operations[$0].op is Const }
    guard !choices.isEmpty, case let index = random.pick(choices), let const = draft.operations[index].op as? Const
    else {
      return
    }
    let value = const.val
    guard value.count > 0, value.dtype != .string, !value.dtype.isPacked else { return }
    if value.dtype.isInteger, value.count <= 64 {
      let numbers = near(value.integers)
      guard numbers.count == value.count else { return }
      draft.operations[index].op = Const(Tensor(value.dtype, value.shape, numbers))
    } else {
      draft.operations[index].op = Const(random.tensor(value.dtype, value.shape))
    }
  }

  private mutating func changeOperand(_ draft: inout GraphDraft) {
    let choices = draft.operations.indices.filter { !draft.operations[$0].inputs.isEmpty }
    guard !choices.isEmpty else { return }
    let index = random.pick(choices)
    let ports = draft.operations[index].inputs.indices.filter { !draft.operations[index].inputs[$0].isEmpty }
    guard let port = ports.isEmpty ? nil : random.pick(ports) else { return }
    if random.chance(0.3), let other = ports.first(where: { $0 != port }) {
      draft.operations[index].inputs.swapAt(port, other)
    } else {
      let place = random.below(draft.operations[index].inputs[port].count)
      draft.operations[index].inputs[port][place] = random.pick(draft.earlier(index))
    }
  }

  private mutating func changeOperator(_ draft: inout GraphDraft) {
    let families = GraphMutator.families
    let choices = draft.operations.indices.filter { index in
      families.contains { family in family.contains { type(of: $0).name == draft.operations[index].name } }
    }
    guard !choices.isEmpty, case let index = random.pick(choices),
      let family = families.first(where: { $0.contains { type(of: $0).name == draft.operations[index].name } })
    else { return }
    var op = random.pick(family)
    for attribute in draft.operations[index].op.attributes { _ = op.setAttribute(attribute.name, attribute.value) }
    draft.operations[index].op = op
  }

  /// Operators that may stand for each other.
  private static let families: [[any Operator]] = [
    [Add(), Sub(), Mul(), RealDiv(), Maximum(), Minimum(), Pow(), Mod(), FloorDiv()],
    [Equal(), NotEqual(), Less(), LessEqual(), Greater(), GreaterEqual()],
    [LogicalAnd(), LogicalOr(), LogicalXor()],
    [
      Relu(), Gelu(), Sigmoid(), Tanh(), Silu(), Erf(), Exp(), Neg(), Abs(), Floor(), Round(), Sqrt(), Sign(),
      Softplus(),
      HardSwish(), Square(), Identity(), Cos(), Sin(), Log(), Rsqrt(), Relu6(), Softmax(), LogSoftmax(), Reverse(),
    ],
    [
      ReduceSum(), ReduceMean(), ReduceMax(), ReduceMin(), ReduceProd(), ReduceL1Norm(), ReduceL2Norm(),
      ReduceSumSquare(), ReduceLogSumExp(),
    ],
    [ReduceArgmax(), ReduceArgmin(), Softmax(), LogSoftmax(), Cumsum(), Cumprod()],
    [MaxPool(), AvgPool()],
    [Conv(), ConvTranspose()],
    [Gather(), GatherAlongAxis()],
  ]

  // MARK: Types

  /// Another extent on one axis of an input, or on every axis that has this extent; the tensors repeat.
  private mutating func changeExtent(_ draft: inout GraphDraft) {
    let choices = draft.inputs.indices.filter { draft.inputs[$0].type.rank > 0 }
    guard !choices.isEmpty else { return }
    let index = random.pick(choices)
    let axis = random.below(draft.inputs[index].type.rank)
    guard let old = draft.inputs[index].type.shape[axis].constant else { return }
    let new = random.extent()
    let isEverywhere = random.chance(0.6)
    for other in draft.inputs.indices {
      for place in draft.inputs[other].type.shape.indices where draft.inputs[other].type.shape[place] == Dim(old) {
        guard isEverywhere || (other, place) == (index, axis) else { continue }
        draft.inputs[other].type.shape[place] = Dim(new)
        for run in draft.runs.indices { draft.runs[run][other] = draft.runs[run][other].repeated(to: new, on: place) }
      }
    }
  }

  /// Every float32 as another float type, constants included.
  private mutating func changeType(_ draft: inout GraphDraft) {
    let new = random.pick([DType.float16, .float64, .bfloat16])
    for index in draft.inputs.indices where draft.inputs[index].type.dtype == .float32 {
      draft.inputs[index].type.dtype = new
      for run in draft.runs.indices { draft.runs[run][index] = draft.runs[run][index].converted(to: new) }
    }
    for index in draft.operations.indices {
      guard let const = draft.operations[index].op as? Const, const.val.dtype == .float32 else { continue }
      draft.operations[index].op = Const(const.val.converted(to: new))
    }
  }

  /// A symbol for each extent above 1 of the inputs, run at the extents as they are and at 1.
  private mutating func openSizes(_ draft: inout GraphDraft) {
    guard draft.runs.count == 1, let given = draft.runs.first else { return }
    var small = given
    let isKept = random.below(3)
    for index in draft.inputs.indices {
      for axis in draft.inputs[index].type.shape.indices {
        guard let extent = draft.inputs[index].type.shape[axis].constant, extent > 1, extent % 3 != isKept else {
          continue
        }
        draft.inputs[index].type.shape[axis] = .symbol("s\(extent)")
        small[index] = small[index].repeated(to: 1, on: axis)
      }
    }
    draft.runs.append(small)
  }

  /// A symbol of its own for some extents of the inputs, whether these have to agree or not; run at the extents as they
  /// are, and with some of them changed.
  private mutating func openOwnSizes(_ draft: inout GraphDraft) {
    guard draft.runs.count == 1, let given = draft.runs.first else { return }
    var places: [(input: Int, axis: Int, extent: Int)] = []
    for index in draft.inputs.indices {
      for axis in draft.inputs[index].type.shape.indices {
        guard let extent = draft.inputs[index].type.shape[axis].constant, random.chance(0.6) else { continue }
        draft.inputs[index].type.shape[axis] = .symbol("s\(index)_\(axis)")
        places.append((index, axis, extent))
      }
    }
    guard !places.isEmpty else { return }
    for _ in 0..<3 {
      let (place, isOne) = (random.pick(places), random.chance(0.5))
      let other = random.pick([1, 2, place.extent + 1, 2 * place.extent, max(place.extent - 1, 1)])
      var run = given
      for each in places where isOne ? each == place : each.extent == place.extent {
        run[each.input] = run[each.input].repeated(to: other, on: each.axis)
      }
      draft.runs.append(run)
    }
  }
}

extension Tensor {
  /// With `extent` on `axis`, elements repeated in order.
  fileprivate func repeated(to extent: Int, on axis: Int) -> Tensor {
    var shape = shape
    shape[axis] = extent
    return repeated(shape)
  }
}
