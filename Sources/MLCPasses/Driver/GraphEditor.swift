import MLCCore
import MLCGraph
import MLCOps

/// A function under rewriting: who makes each value, how often it is read, and new operations in the making.
package struct GraphEditor: Sendable {
  package private(set) var function: Function
  private var producers: [Operation?]
  private var counts: [Int]
  private var rounded: Set<ValueID> = []
  private var deciders: Set<ValueID> = []
  private var substitution: [ValueID: ValueID] = [:]
  private var taken: Set<String>
  /// Values of which more is known than when their readers were inferred.
  private var improved: Set<ValueID> = []
  /// Sizes that operations gave names to and that turned out to be numbers.
  private var settled: [String: Dim] = [:]
  private var pending: [Operation] = []
  /// What constants in patches may take.
  let budget: Budget
  private var origin = Location()

  package init(_ function: Function, budget: Budget = Budget()) {
    (self.function, self.budget) = (function, budget)
    producers = Array(repeating: nil, count: function.values.count)
    counts = Array(repeating: 0, count: function.values.count)
    taken = Set(function.values.map { $0.name })
    index(function.body)
    deciders = rounded
    followRounding(function.body)
  }

  private mutating func index(_ block: Block) {
    for operation in block.operations {
      for output in operation.outputs { producers[output.index] = operation }
      for input in operation.inputs.joined() { counts[input.index] += 1 }
      if operation.op is Round { rounded.formUnion(operation.inputs.joined()) }
      for nested in operation.blocks { index(nested) }
    }
    for output in block.outputs { counts[output.index] += 1 }
  }

  /// Adds what arithmetic makes of to the values that decide a rounding, from the last operation to the first.
  private mutating func followRounding(_ block: Block) {
    for operation in block.operations.reversed() {
      for nested in operation.blocks { followRounding(nested) }
      switch operation.op {
      case is Add, is Sub, is Mul, is RealDiv, is Minimum, is Maximum, is Clip, is Select, is Reshape, is ExpandDims,
        is Squeeze, is BroadcastTo:
        if operation.outputs.contains(where: deciders.contains) {
          deciders.formUnion(operation.inputs.joined())
        }
      default: break
      }
    }
  }

  // MARK: Looking

  package func fact(_ value: ValueID) -> Fact { function.fact(value) }
  package func type(_ value: ValueID) -> TensorType { function.type(value) }
  /// The tensor that `value` always is, when that is known.
  package func constant(_ value: ValueID) -> Tensor? { function.fact(value).value }
  /// The operation that makes `value`; `nil` for inputs of functions and blocks.
  package func producer(_ value: ValueID) -> Operation? { producers[value.index] }
  /// How often operations and blocks read `value`.
  package func uses(_ value: ValueID) -> Int { counts[value.index] }
  /// Whether a `round` of the function as it was given reads `value`: the last bit of a tie decides.
  package func isRounded(_ value: ValueID) -> Bool { rounded.contains(value) }
  /// Whether arithmetic makes of `value` what a `round` of the function as it was given reads: where a scale is made of
  /// the data, its last bit decides whether what lies on a tie goes up or down.
  package func decidesRounding(_ value: ValueID) -> Bool { deciders.contains(value) }

  /// The operation that makes `value` when its operator is `Op`.
  package func producer<Op: Operator>(_ value: ValueID, as type: Op.Type) -> (operation: Operation, op: Op)? {
    guard let operation = producers[value.index], let op = operation.op as? Op else { return nil }
    return (operation, op)
  }

  // MARK: Building

  /// Appends `op` to the patch and gives its outputs. Throws what inference throws.
  package mutating func emitAll(
    _ op: any Operator,
    _ inputs: [[ValueID]],
    origin: Location? = nil
  ) throws(Diagnostic) -> [ValueID] {
    let label = uniqueName(Swift.type(of: op).name)
    try checkArguments(op, inputs, in: function)
    let facts = try infer(op, inputs, blocks: [], label: label, in: function)
    let outputs = facts.enumerated().map { add($0.offset == 0 ? label : uniqueName(label), $0.element) }
    record(Operation(op, inputs, outputs: outputs, origin: origin ?? self.origin))
    return outputs
  }

  /// `emitAll` for operators of one output, each port taking one value or none.
  package mutating func emit(_ op: any Operator, _ inputs: ValueID?..., origin: Location? = nil) throws(Diagnostic)
    -> ValueID
  {
    try emitAll(op, inputs.map { $0.map { [$0] } ?? [] }, origin: origin)[0]
  }

  package mutating func emitConstant(_ tensor: Tensor, name: String = "const") -> ValueID {
    let value = add(uniqueName(name), Fact(tensor))
    record(Operation(Const(tensor), [], outputs: [value], origin: origin))
    return value
  }

  /// What was emitted since the operation at hand was begun, standing in for it.
  package mutating func patch(_ replacements: ValueID...) -> Patch { patch(all: replacements) }
  package mutating func patch(all replacements: [ValueID], moving operations: [Operation] = []) -> Patch {
    defer { pending = [] }
    return Patch(operations: operations + pending, replacements: replacements)
  }

  private mutating func record(_ operation: Operation) {
    for output in operation.outputs { producers[output.index] = operation }
    pending.append(operation)
  }

  private mutating func add(_ name: String, _ fact: Fact) -> ValueID {
    producers.append(nil)
    counts.append(0)
    return function.addValue(name, fact)
  }

  private mutating func uniqueName(_ hint: String) -> String {
    var name = hint
    var number = function.values.count
    while !taken.insert(name).inserted {
      name = "\(hint)_\(number)"
      number += 1
    }
    return name
  }
}

// MARK: Bookkeeping of the walk

extension GraphEditor {
  /// Takes up `operation`, whose inputs are substituted.
  mutating func begin(_ operation: Operation) {
    pending = []
    origin = operation.origin
    for output in operation.outputs { producers[output.index] = operation }
    if !improved.isEmpty { refine(operation) }
  }

  /// Infers again where an argument is known better. What inference rejects now stays as it was: it may never run.
  private mutating func refine(_ operation: Operation) {
    let inputs = operation.inputs
    guard inputs.contains(where: { $0.contains(where: improved.contains) }) || !operation.blocks.isEmpty else { return }
    let label = operation.outputs.first.map { function[$0].name } ?? operation.name
    guard let facts = try? infer(operation.op, inputs, blocks: operation.blocks, label: label, in: function),
      facts.count == operation.outputs.count
    else { return }
    for (output, fact) in zip(operation.outputs, facts) {
      settle(function.type(output), as: fact.type, madeBy: operation)
      improve(output, by: fact)
    }
  }

  /// Remembers the sizes that `operation` named in `before`, the type of an output, and that are numbers in `after`.
  private mutating func settle(_ before: TensorType, as after: TensorType, madeBy operation: Operation) {
    guard operation.blocks.isEmpty, before.rank == after.rank else { return }
    for (old, new) in zip(before.shape, after.shape) where new.constant != nil {
      guard let name = old.symbol else { continue }
      let isGiven = operation.inputs.joined().contains { value in
        function.type(value).shape.contains { $0.symbols.contains(name) }
      }
      if !isGiven { settled[name] = new }
    }
  }

  /// The function, in which no value has a size of which more is known.
  var result: Function {
    if settled.isEmpty { return function }
    var result = function
    for index in result.values.indices {
      result.values[index].fact = result.values[index].fact.substituting(settled)
    }
    return result
  }

  /// Takes over what `fact` knows and the recorded fact of `value` does not.
  private mutating func improve(_ value: ValueID, by fact: Fact) {
    var known = function.fact(value)
    guard known.dtype == fact.dtype, known.rank == fact.rank else { return }
    var better = false
    for axis in known.shape.indices where known.shape[axis].constant == nil && fact.shape[axis].constant != nil {
      known.type.shape[axis] = fact.shape[axis]
      better = true
    }
    if known.value == nil, let tensor = fact.value {
      (known.value, better) = (tensor, true)
    }
    if known.elements == nil, let elements = fact.elements {
      (known.elements, better) = (elements, true)
    }
    if known.ratios == nil, known.elements == nil, let ratios = fact.ratios {
      (known.ratios, better) = (ratios, true)
    }
    guard better else { return }
    function.values[value.index].fact = known
    improved.insert(value)
  }

  /// Whether `a` says more than `b`.
  private func isBetter(_ a: Fact, than b: Fact) -> Bool {
    if (a.value != nil && b.value == nil) || (a.elements != nil && b.elements == nil) { return true }
    return zip(a.shape, b.shape).contains { $0.constant != nil && $1.constant == nil }
  }

  func substitute(in inputs: inout [[ValueID]]) {
    if substitution.isEmpty { return }
    for port in inputs.indices { substitute(in: &inputs[port]) }
  }
  func substitute(in values: inout [ValueID]) {
    if substitution.isEmpty { return }
    for index in values.indices { values[index] = substitution[values[index]] ?? values[index] }
  }

  /// Readers of what `root` made read the patch's values from here on. A new value takes over the name of what it
  /// replaces, and extents that were known better.
  mutating func apply(_ patch: Patch, replacing root: Operation) {
    precondition(patch.replacements.count == root.outputs.count, "a patch replaces every output")
    for operation in patch.operations { retain(operation) }
    var made = Set(patch.operations.flatMap { $0.outputs })
    for (old, new) in zip(root.outputs, patch.replacements) {
      let (before, after) = (function.type(old), function.type(new))
      precondition(before.dtype == after.dtype && before.rank == after.rank, "a patch turns \(before) into \(after)")
      settle(before, as: after, madeBy: root)
      substitution[old] = new
      counts[new.index] += counts[old.index]
      counts[old.index] = 0
      if improved.contains(old) || isBetter(function.fact(new), than: function.fact(old)) { improved.insert(new) }
      guard made.remove(new) != nil else { continue }
      let name = function.values[old.index].name
      function.values[old.index].name = function.values[new.index].name
      function.values[new.index].name = name
      for axis in before.shape.indices where after.shape[axis].constant == nil {
        function.values[new.index].fact.type.shape[axis] = before.shape[axis]
      }
    }
    release(root)
  }

  private mutating func retain(_ operation: Operation) {
    for input in operation.inputs.joined() { counts[input.index] += 1 }
  }

  /// `operation` reads no more; what only it read is not read either.
  private mutating func release(_ operation: Operation) {
    var dead = [operation]
    while let operation = dead.popLast() {
      for input in operation.inputs.joined() {
        counts[input.index] -= 1
        guard counts[input.index] == 0, let producer = producers[input.index] else { continue }
        if producer.outputs.allSatisfy({ counts[$0.index] == 0 }) { dead.append(producer) }
      }
    }
  }
}
