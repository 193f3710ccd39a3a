import MLCCore
import MLCGraph
import MLCOps

extension ONNXImporter {
  /// Converts the nodes of `body` into the block being filled; gives what its outputs are.
  ///
  /// Its inputs mean `arguments`. Throws what its nodes throw, `onnx.input-type` for an input of a kind that mlc lacks,
  /// `onnx.undefined-value`.
  func add(_ body: ONNXGraph, to arguments: [ONNXValue], in context: inout ONNXContext)
    throws(Diagnostic) -> [ONNXValue]
  {
    let (node, count) = (context.node, context.definitionCount)
    defer {
      context.forget(since: count)
      (context.node, context.depth) = (node, context.depth - 1)
    }
    context.depth += 1
    for (input, value) in zip(body.inputs, arguments) {
      if input.unsupported != nil { _ = try type(of: input) }
      context.define(input.name, value)
    }
    try addNodes(body, to: &context)
    var outputs: [ONNXValue] = []
    for output in body.outputs {
      guard let value = context.values[output.name] else {
        throw Diagnostic("onnx.undefined-value", "output '\(output.name)' of the body is not computed by any node")
      }
      outputs.append(value)
    }
    return outputs
  }
}

extension ONNXContext {
  /// What `body` gives for `arguments`, in the block being filled. Its nodes see every value around it.
  mutating func outputs(of body: ONNXGraph, for arguments: [ONNXValue]) throws(Diagnostic) -> [ONNXValue] {
    try importer.add(body, to: arguments, in: &self)
  }

  /// `value` under the shape that the body declares for it, where its own extents are known only as the model runs and
  /// `isNeeded` says that they have to be known before.
  mutating func asDeclared(_ value: ValueID, _ info: ONNXValueInfo, where isNeeded: (TensorType) -> Bool)
    throws(Diagnostic) -> ValueID
  {
    let own = fact(value).type
    guard own.staticShape == nil, let declared = info.type, declared.staticShape != nil, declared.rank == own.rank,
      isNeeded(declared)
    else { return value }
    return try reshape(value, declared.shape)
  }
}
