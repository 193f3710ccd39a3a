import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Loop` → `while_loop`.
///
/// Inputs are the number of rounds at most and whether the first begins, either or both left out, then carried values.
/// The body takes the round's number, a truth value, which is true as it runs, and the carried values; it gives whether
/// another round follows, the next values, and rows that are stacked. A condition that is left out begins as true; what
/// the body gives decides all the same, as onnxruntime has it. Carried values may be sequences and optionals. Throws
/// `onnx.loop`, and what `ONNXSequenceLoop` throws.
package enum ONNXLoop: ONNXValueOperator {
  package static let types = ["Loop"]
  package static let sinceOpset = 1
  package static var operation: String? { "while_loop" }
  package static var note: String { "what is carried keeps its rank" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ONNXValue] {
    guard let body = try node.graph("body") else { throw Diagnostic("onnx.loop", "the body is missing") }
    let count = max(0, node.inputs.count - 2)
    guard body.inputs.count == count + 2, body.outputs.count > count, node.outputs.count < body.outputs.count else {
      throw Diagnostic(
        "onnx.loop",
        "a body of \(body.inputs.count) inputs and \(body.outputs.count) outputs does not fit \(count) carried values"
      )
    }
    var initial: [ONNXValue] = []
    for index in 0..<count { initial.append(try context.value(index + 2)) }
    let before = initial.map { value in value.tensor.map { context.fact($0).type } }
    var loop = ONNXSequenceLoop(id: "onnx.loop", names: body.inputs.dropFirst(2).map(\.name)) {
      (context, counter, carried) throws(Diagnostic) in
      try round(of: body, counter, carried, before, in: &context)
    }
    loop.limit = try limit(in: &context)
    loop.start = try start(in: &context)
    loop.initial = initial
    return try loop.append(to: &context)
  }

  /// One round, whose carried tensors began with the types `before`.
  private static func round(
    of body: ONNXGraph,
    _ counter: ValueID,
    _ carried: [ONNXValue],
    _ before: [TensorType?],
    in context: inout ONNXContext
  ) throws(Diagnostic) -> ONNXSequenceLoop.Round {
    let truth = try context.truth()
    let number = try shaped(counter, as: body.inputs[0], in: &context)
    let holds = try shaped(truth, as: body.inputs[1], in: &context)
    var outputs = try context.outputs(of: body, for: [.tensor(number), .tensor(holds)] + carried)
    let condition = try context.tensor(outputs.removeFirst(), "the body's condition")
    guard context.fact(condition).dtype == .bool else {
      throw Diagnostic("onnx.loop", "the body's condition is \(context.fact(condition).type)")
    }
    for (index, output) in outputs.enumerated() {
      guard let tensor = output.tensor else { continue }
      let declared = try context.asDeclared(tensor, body.outputs[index + 1]) { declared in
        index >= before.count || declared == before[index]
      }
      outputs[index] = .tensor(declared)
    }
    let rows = try outputs.dropFirst(before.count).map { row throws(Diagnostic) in
      try context.tensor(row, "a row that is stacked")
    }
    return .init(holds: condition, next: Array(outputs.prefix(before.count)), rows: rows)
  }

  /// The number of rounds at most; `nil` where none is given, or the largest of all.
  private static func limit(in context: inout ONNXContext) throws(Diagnostic) -> ValueID? {
    guard let value = context.input(0) else { return nil }
    guard context.fact(value).dtype.isInteger else {
      throw Diagnostic("onnx.loop", "the number of rounds is \(context.fact(value).type)")
    }
    if let number = context.fact(value).integers, number.count == 1, number[0] == .max { return nil }
    return try context.cast(try context.scalar(value, "onnx.loop"), to: .int64)
  }

  private static func start(in context: inout ONNXContext) throws(Diagnostic) -> ValueID? {
    guard let value = context.input(1) else { return nil }
    guard context.fact(value).dtype == .bool else {
      throw Diagnostic("onnx.loop", "the condition is \(context.fact(value).type)")
    }
    return try context.scalar(value, "onnx.loop")
  }

  /// `scalar`, or a vector of it where the body declares one.
  private static func shaped(_ scalar: ValueID, as input: ONNXValueInfo, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    input.type?.rank == 1 ? try context.emit(ExpandDims([0]), scalar) : scalar
  }
}
