import MLCCore
import MLCGraph

/// A case taken apart: inputs, operations in order and outputs, each free to be changed. Types are inferred when it is
/// put together again.
struct GraphDraft {
  var label: String
  var inputs: [(id: ValueID, name: String, type: TensorType)]
  var runs: [[Tensor]]
  var operations: [Operation]
  var outputs: [ValueID]
  private let names: [String]

  init(_ item: GraphCase) {
    let function = item.function
    (label, runs, operations, outputs) = (item.label, item.runs, function.body.operations, function.outputs)
    inputs = function.inputs.map { ($0, function[$0].name, function.type($0)) }
    names = function.values.map { $0.name }
  }

  /// Values that operation `index` may read.
  func earlier(_ index: Int) -> [ValueID] { inputs.map { $0.id } + operations[..<index].flatMap { $0.outputs } }

  /// Throws what inference throws.
  func assembled() throws(Diagnostic) -> GraphCase {
    var builder = Builder()
    var made: [ValueID: ValueID] = [:]
    for input in inputs { made[input.id] = builder.input(input.name, input.type) }
    for operation in operations {
      let arguments = operation.inputs.map { $0.compactMap { made[$0] } }
      guard zip(arguments, operation.inputs).allSatisfy({ $0.count == $1.count }) else { continue }
      let results = try builder.append(
        operation.op,
        arguments,
        names: operation.outputs.map { names[$0.index] },
        origin: Location(node: names[operation.outputs[0].index], op: operation.name)
      )
      for (id, result) in zip(operation.outputs, results) { made[id] = result }
    }
    let known = outputs.compactMap { made[$0] }
    guard !known.isEmpty else { throw Diagnostic("test.mutation", "no output is left") }
    return GraphCase(label, builder.finish(known.enumerated().map { ("y\($0.offset)", $0.element) }), runs)
  }
}
