import MLCCore

/// Runs a function by calling every operator's `evaluate`: the reference that generated code is judged by.
package struct Interpreter: Sendable {
  private let function: Function
  /// How often each value is read, so that its memory goes when its last reader is done.
  private let readers: [ValueID: Int]
  private let budget: Budget

  package init(_ function: Function, budget: Budget = Budget()) {
    (self.function, self.budget) = (function, budget)
    var readers: [ValueID: Int] = [:]
    for value in function.body.uses { readers[value, default: 0] += 1 }
    self.readers = readers
  }

  /// The outputs for these inputs, in the function's order.
  ///
  /// `observe` sees each operation's outputs as they are made, and may change them. Throws `interpreter.input` when
  /// inputs do not fit, and, located at the operation's node, what an operator throws and `budget.memory` or
  /// `budget.time` before the operation that would exceed the budget.
  package func run(
    _ inputs: [Tensor],
    observe: ((Operation, inout [Tensor]) -> Void)? = nil
  ) throws(Diagnostic) -> [Tensor] {
    var run = Run(function: function, readers: readers, budget: budget, observe: observe)
    try run.bind(inputs)
    return try run.block(function.body)
  }
}

/// One execution: values so far and the sizes that inputs bound.
private struct Run {
  let function: Function
  var readers: [ValueID: Int]
  let observe: ((Operation, inout [Tensor]) -> Void)?
  var values: [ValueID: Tensor] = [:]
  var sizes: [String: Int] = [:]
  /// Compressed constants that nobody read so far, by their results. The arguments of each are in `values`.
  private var deferred: [ValueID: Operation] = [:]
  /// Those of nested blocks, expanded: a loop comes by again.
  private let expanded = ExpandedConstants()
  private var isNested = false
  private let budget: Budget
  /// Bytes of the results that are kept, those of constants not counted.
  private var kept: [ValueID: Int] = [:]
  private var bytes = 0

  init(
    function: Function,
    readers: [ValueID: Int],
    budget: Budget,
    observe: ((Operation, inout [Tensor]) -> Void)?
  ) {
    (self.function, self.readers, self.budget, self.observe) = (function, readers, budget, observe)
  }

  mutating func bind(_ inputs: [Tensor]) throws(Diagnostic) {
    guard inputs.count == function.inputs.count else {
      throw Diagnostic("interpreter.input", "\(inputs.count) inputs given; the model has \(function.inputs.count)")
    }
    for (id, tensor) in zip(function.inputs, inputs) {
      let name = function[id].name
      let type = function.type(id)
      guard type.dtype == tensor.dtype, type.rank == tensor.rank else {
        throw Diagnostic("interpreter.input", "input '\(name)' is \(tensor.type); expected \(type)")
      }
      for (extent, size) in zip(type.shape, tensor.shape) {
        if let symbol = extent.symbol, sizes[symbol] == nil { sizes[symbol] = size }
      }
      values[id] = tensor
    }
    for (id, tensor) in zip(function.inputs, inputs) {
      let type = function.type(id)
      for (extent, size) in zip(type.shape, tensor.shape) where extent.evaluate(sizes).map({ $0 != size }) ?? false {
        throw Diagnostic("interpreter.input", "input '\(function[id].name)' is \(tensor.type); expected \(type)")
      }
    }
  }

  mutating func block(_ block: Block) throws(Diagnostic) -> [Tensor] {
    for operation in block.operations {
      for id in operation.inputs.joined() { try expand(id) }
      if operation.isConstantExpression {
        for output in operation.outputs { deferred[output] = operation }
        continue
      }
      for id in operation.blocks.flatMap({ $0.uses }) { try expand(id) }
      try run(operation)
    }
    for id in block.outputs { try expand(id) }
    return block.outputs.map { values[$0]! }
  }

  private mutating func run(_ operation: Operation) throws(Diagnostic) {
    var results = try evaluate(operation)
    observe?(operation, &results)
    for (id, tensor) in zip(operation.outputs, results) {
      values[id] = tensor
      if operation.op is Const { continue }
      let size = tensor.memoryBytes
      kept[id] = size
      bytes += size
    }
    for id in operation.inputs.joined() { release(id) }
  }

  /// Computes `id` when it is a constant that was deferred.
  private mutating func expand(_ id: ValueID) throws(Diagnostic) {
    guard let operation = deferred[id] else { return }
    for output in operation.outputs { deferred[output] = nil }
    if let known = expanded.results[operation.outputs[0]] {
      for (output, tensor) in zip(operation.outputs, known) { values[output] = tensor }
      return
    }
    try run(operation)
    if isNested { expanded.results[operation.outputs[0]] = operation.outputs.map { values[$0]! } }
  }

  /// Values of enclosing blocks that a nested block reads stay until the whole function ends: a loop reads them again.
  private mutating func release(_ id: ValueID) {
    guard let left = readers[id] else { return }
    readers[id] = left - 1
    guard left == 1 else { return }
    values[id] = nil
    bytes -= kept.removeValue(forKey: id) ?? 0
  }

  /// Throws `budget.memory` when the results of `operation` would not fit beside what is kept, as far as their types
  /// tell before they are made.
  private func check(_ operation: Operation, _ operands: Operands<Tensor>) throws(Diagnostic) {
    if operation.op is Const || operation.op is any RegionOperator { return }
    var types = operation.outputs.map { function.type($0) }
    if types.contains(where: { $0.shape.contains { $0.evaluate(sizes) == nil } }) {
      // An operation that inference refuses says so itself.
      guard let facts = try? operation.op.infer(operands.map { Fact($0) }) else { return }
      types = facts.map { $0.type }
    }
    let texts = (operation.op as? any TextMaking)?.textBytes(operands) ?? 0
    var needed = texts > Int.max - bytes ? .max : bytes + texts
    for type in types {
      let extents = type.shape.map { max(0, $0.evaluate(sizes) ?? 0) }
      let count = extents.reduce(1) { $0.saturatingProduct($1) }
      let size = type.dtype.memoryBytes(count) ?? .max
      needed = size > Int.max - needed ? .max : needed + size
    }
    let total = needed
    try budget.check(memory: total, for: "the tensors of this node and those that are still read")
  }

  private mutating func evaluate(_ operation: Operation) throws(Diagnostic) -> [Tensor] {
    let op = operation.op
    let operands = Operands(
      type(of: op).portNames,
      operation.inputs.map { $0.map { values[$0]! } },
      label: operation.outputs.first.map { function[$0].name } ?? operation.name
    )
    let location = Location(op: operation.name).within(operation.origin).within(Location(file: function.file))
    do {
      try budget.checkTime()
      try check(operation, operands)
      guard let region = op as? any RegionOperator else { return try op.evaluate(operands) }
      return try region.evaluate(operands) { (index, arguments) throws(Diagnostic) in
        try nested(operation.blocks[index], arguments)
      }
    } catch {
      var located = error
      located.location = error.location.within(location)
      throw located
    }
  }

  /// Runs a nested block on a copy of the values, so that running it again finds them all.
  private func nested(_ block: Block, _ arguments: [Tensor]) throws(Diagnostic) -> [Tensor] {
    var inner = self
    inner.readers = [:]
    inner.isNested = true
    for (id, tensor) in zip(block.inputs, arguments) { inner.values[id] = tensor }
    return try inner.block(block)
  }
}

/// What compressed constants of nested blocks expand to; shared by the copies of one run.
private final class ExpandedConstants {
  var results: [ValueID: [Tensor]] = [:]
}
