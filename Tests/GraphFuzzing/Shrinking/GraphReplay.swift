import MLCCore
import MLCGraph

/// Builds a case again with some values taken from elsewhere, types inferred anew.
struct GraphReplay {
  private let item: GraphCase
  private let producers: [ValueID: Operation]
  /// What every value is in each run, as far as the reference gets.
  private let tensors: [[ValueID: Tensor]]

  /// What stands for a value.
  enum Replacement {
    /// A new input with the tensors that the value has.
    case input
    case value(ValueID)
  }

  init(_ item: GraphCase) {
    self.item = item
    var producers: [ValueID: Operation] = [:]
    for operation in item.function.body.operations {
      for output in operation.outputs { producers[output] = operation }
    }
    self.producers = producers
    var tensors: [[ValueID: Tensor]] = []
    for inputs in item.runs {
      let seen = Seen()
      seen.values = Dictionary(uniqueKeysWithValues: zip(item.function.inputs, inputs))
      _ = try? Interpreter(item.function).run(inputs) { operation, results in
        for (id, tensor) in zip(operation.outputs, results) { seen.values[id] = tensor }
      }
      tensors.append(seen.values)
    }
    self.tensors = tensors
  }

  private final class Seen {
    var values: [ValueID: Tensor] = [:]
  }

  /// The case with `outputs` and only what they need.
  func rebuilt(_ outputs: [ValueID], replacing: [ValueID: Replacement] = [:]) throws(Diagnostic) -> GraphCase {
    var builder = Builder()
    var made: [ValueID: ValueID] = [:]
    var runs = item.runs.map { _ in [Tensor]() }
    var isLive = live(outputs, replacing)
    func resolved(_ id: ValueID) -> ValueID {
      guard case .value(let other)? = replacing[id] else { return id }
      return resolved(other)
    }
    func isInput(_ id: ValueID) -> Bool {
      if case .input? = replacing[id] { return true }
      return producers[id] == nil
    }
    for id in isLive.filter(isInput).sorted() {
      guard tensors.allSatisfy({ $0[id] != nil }) else { throw Diagnostic("test.value", "a run does not get there") }
      made[id] = builder.input(item.function[id].name, item.function.type(id))
      for run in runs.indices { runs[run].append(tensors[run][id]!) }
      isLive.remove(id)
    }
    func append(_ operation: Operation) throws(Diagnostic) {
      var blocks: [Block] = []
      for block in operation.blocks {
        let inputs = block.inputs.map { (name: item.function[$0].name, type: item.function.type($0)) }
        for (id, input) in zip(block.inputs, builder.beginBlock(inputs: inputs)) { made[id] = input }
        for inner in block.operations { try append(inner) }
        blocks.append(builder.endBlock(yielding: block.outputs.map { made[resolved($0)]! }))
      }
      let results = try builder.append(
        operation.op,
        operation.inputs.map { $0.map { made[resolved($0)]! } },
        names: operation.outputs.map { item.function[$0].name },
        blocks: blocks,
        origin: operation.origin
      )
      for (id, result) in zip(operation.outputs, results) where made[id] == nil { made[id] = result }
    }
    for operation in item.function.body.operations where operation.outputs.contains(where: isLive.contains) {
      try append(operation)
    }
    let named = outputs.enumerated().map { ("y\($0.offset)", made[resolved($0.element)]!) }
    return GraphCase(item.label, builder.finish(named), runs)
  }

  /// Every value that is computed or read for `outputs`.
  private func live(_ outputs: [ValueID], _ replacing: [ValueID: Replacement]) -> Set<ValueID> {
    var live: Set<ValueID> = []
    var open = outputs
    while let id = open.popLast() {
      switch replacing[id] {
      case .value(let other)?: open.append(other)
      case .input?: live.insert(id)
      case nil:
        guard live.insert(id).inserted, let operation = producers[id] else { continue }
        open += operation.inputs.joined() + operation.outerUses
      }
    }
    return live
  }
}

extension Operation {
  /// What its blocks read of the values around them.
  fileprivate var outerUses: [ValueID] {
    func defined(_ block: Block) -> [ValueID] {
      block.inputs + block.operations.flatMap { $0.outputs + $0.blocks.flatMap(defined) }
    }
    let inner = Set(blocks.flatMap(defined))
    return blocks.flatMap { $0.uses }.filter { !inner.contains($0) }
  }
}
