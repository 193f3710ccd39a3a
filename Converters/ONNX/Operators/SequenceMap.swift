import MLCCore
import MLCGraph
import MLCOps

/// ONNX `SequenceMap`: sequences of what a body gives for each element of a sequence.
///
/// Further sequences give their elements at the same place, tensors are the same for all. Where the sequences are lists
/// the body stands once for each element, else in a loop.
package enum ONNXSequenceMap: ONNXValueOperator {
  package static let types = ["SequenceMap"]
  package static let sinceOpset = 17

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ONNXValue] {
    guard let body = try node.graph("body") else { throw Diagnostic("onnx.sequence", "the body is missing") }
    guard body.inputs.count == node.inputs.count, body.outputs.count >= node.outputs.count else {
      let message = "a body of \(body.inputs.count) inputs and \(body.outputs.count) outputs does not fit the node"
      throw Diagnostic("onnx.sequence", message)
    }
    var inputs: [ONNXValue] = [.sequence(try context.sequence(0))]
    for index in node.inputs.indices.dropFirst() { inputs.append(try context.value(index)) }
    if let count = listCount(inputs) { return try unrolled(body, inputs, count, in: &context) }
    return try looped(body, inputs, in: &context)
  }

  /// How many elements each of the sequences has; `nil` where one is no list.
  private static func listCount(_ inputs: [ONNXValue]) -> Int? {
    var counts: [Int] = []
    for case .sequence(let sequence) in inputs {
      guard case .list(let values, _) = sequence else { return nil }
      counts.append(values.count)
    }
    return counts.min() == counts.max() ? counts.first : nil
  }

  private static func unrolled(
    _ body: ONNXGraph,
    _ inputs: [ONNXValue],
    _ count: Int,
    in context: inout ONNXContext
  ) throws(Diagnostic) -> [ONNXValue] {
    var lists = try body.outputs.map { output throws(Diagnostic) in ([ValueID](), try dtype(of: output, count)) }
    for place in 0..<count {
      let arguments = inputs.map { input -> ONNXValue in
        if case .sequence(.list(let values, _)) = input { .tensor(values[place]) } else { input }
      }
      for (index, result) in try context.outputs(of: body, for: arguments).enumerated() {
        let value = try context.tensor(result, "what the body gives")
        lists[index].0.append(value)
        lists[index].1 = context.fact(value).dtype
      }
    }
    return lists.map { .sequence(.list($0.0, $0.1)) }
  }

  /// The declared element type, which counts for a list of none.
  private static func dtype(of output: ONNXValueInfo, _ count: Int) throws(Diagnostic) -> DType {
    if let dtype = output.dtype { return dtype }
    if count > 0 { return .float32 }
    throw Diagnostic("onnx.sequence", "'\(output.name)' of the body has no declared type, and there is no element")
  }

  private static func looped(_ body: ONNXGraph, _ inputs: [ONNXValue], in context: inout ONNXContext)
    throws(Diagnostic) -> [ONNXValue]
  {
    var loop = ONNXSequenceLoop(id: "onnx.sequence", names: body.outputs.map(\.name)) {
      (context, counter, carried) throws(Diagnostic) in
      var arguments: [ONNXValue] = []
      for input in inputs {
        guard case .sequence(let sequence) = input else {
          arguments.append(input)
          continue
        }
        arguments.append(.tensor(try context.element(at: counter, of: sequence)))
      }
      var next: [ONNXValue] = []
      for (result, sequence) in zip(try context.outputs(of: body, for: arguments), carried) {
        guard case .sequence(let sequence) = sequence else { continue }
        let value = try context.tensor(result, "what the body gives")
        next.append(.sequence(try context.inserting(value, at: nil, into: sequence)))
      }
      return .init(holds: nil, next: next, rows: [])
    }
    guard case .sequence(let first) = inputs[0] else { return [] }
    loop.limit = try context.count(of: first)
    for output in body.outputs {
      guard let dtype = output.dtype else {
        throw Diagnostic("onnx.sequence", "'\(output.name)' of the body has no declared type")
      }
      loop.initial.append(.sequence(.list([], dtype)))
    }
    return try loop.append(to: &context)
  }
}
