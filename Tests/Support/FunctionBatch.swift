import MLCCore
import MLCGraph

/// Functions side by side in one, so that the C compiler starts once for all of them. Names of values and sizes of the
/// k-th have `fk_` before them.
package struct FunctionBatch {
  private var builder = Builder()
  private var results: [(name: String, value: ValueID)] = []
  private var counts: [Int] = []
  /// By function, then by run.
  private var arguments: [[[Tensor]]] = []

  package init() {}

  /// The arguments of each run; a function with fewer runs repeats its last.
  package var runs: [[Tensor]] {
    (0..<(arguments.map { $0.count }.max() ?? 0)).map { run in
      arguments.flatMap { $0[min(run, $0.count - 1)] }
    }
  }

  /// Appends the operations of `source`, to run on each of `runs`, of which there is one at least. Throws what
  /// inference throws.
  package mutating func append(_ source: Function, _ runs: [[Tensor]]) throws(Diagnostic) {
    precondition(!runs.isEmpty, "a function without a run")
    let prefix = "f\(counts.count)_"
    var places: [ValueID: ValueID] = [:]
    for input in source.inputs {
      let type = source.type(input).substituting(renamed(source.type(input).shape, prefix))
      places[input] = builder.input(prefix + source[input].name, type)
    }
    try append(source.body, of: source, prefix, &places)
    counts.append(source.outputs.count)
    for (index, output) in source.outputs.enumerated() { results.append(("\(prefix)\(index)", places[output]!)) }
    arguments.append(runs)
  }

  private mutating func append(
    _ block: Block,
    of source: Function,
    _ prefix: String,
    _ places: inout [ValueID: ValueID]
  ) throws(Diagnostic) {
    for operation in block.operations {
      if operation.op is Const, let value = source.fact(operation.outputs[0]).value {
        places[operation.outputs[0]] = builder.constant(value, origin: operation.origin)
        continue
      }
      var blocks: [Block] = []
      for nested in operation.blocks {
        let inputs = nested.inputs.map { input in
          let type = source.type(input)
          return (name: prefix + source[input].name, type: type.substituting(renamed(type.shape, prefix)))
        }
        for (old, new) in zip(nested.inputs, builder.beginBlock(inputs: inputs)) { places[old] = new }
        try append(nested, of: source, prefix, &places)
        blocks.append(builder.endBlock(yielding: nested.outputs.map { places[$0]! }))
      }
      let outputs = try builder.append(
        operation.op,
        operation.inputs.map { $0.map { places[$0]! } },
        names: operation.outputs.map { prefix + source[$0].name },
        blocks: blocks,
        origin: operation.origin
      )
      for (old, new) in zip(operation.outputs, outputs) { places[old] = new }
    }
  }

  private func renamed(_ shape: [Dim], _ prefix: String) -> [String: Dim] {
    let names = shape.reduce(into: Set<String>()) { $0.formUnion($1.symbols) }
    return Dictionary(uniqueKeysWithValues: names.map { ($0, .symbol(prefix + $0)) })
  }

  package func function() -> Function {
    var builder = builder
    return builder.finish(results)
  }

  /// `outputs` of the whole, by function.
  package func divided(_ outputs: [Tensor]) -> [[Tensor]] {
    var rest = outputs[...]
    return counts.map { count in
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
  }
}
