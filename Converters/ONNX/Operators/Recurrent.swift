import MLCCore
import MLCGraph
import MLCOps

/// ONNX `LSTM`, `GRU` and `RNN` → `lstm`, `gru` and `rnn`.
///
/// Weights are cut by direction and gate and put in MIL's order; input and hidden biases are added, except the hidden
/// bias of a GRU's candidate gate under `linear_before_reset`. Activations must be of the kind that the operators know,
/// the same in both directions. `layout` 1 is transposed away. Before operator set 7 `output_sequence` 0 lets a model
/// leave out the first output, as it may later anyway.
package enum ONNXRecurrent: ONNXOperator {
  package static let types = ["LSTM", "GRU", "RNN"]
  package static var operation: String? { "lstm, gru, rnn" }
  package static var note: String { "equal activations in both directions: sigmoid, tanh, relu, hard_sigmoid" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let layer = try ONNXRecurrentLayer(node, context)
    let batchFirst = try node.flag("layout")
    let x = try context.required(0)
    let data = batchFirst ? try context.emit(Transpose([1, 0, 2]), x) : x
    var states: [[ValueID]] = []
    for index in 5..<(node.opType == "LSTM" ? 7 : 6) {
      states.append(try initial(index, layer, batchFirst, in: &context).map { [$0] } ?? [])
    }
    let forward = try layer.operands(0, in: &context)
    let back = layer.directions == 2 ? try layer.operands(1, in: &context) : forward.map { _ in [] }
    let inputs = [[data]] + states + forward + back + [context.input(4).map { [$0] } ?? []]
    let results = try context.emit(try layer.op(node), all: inputs)
    var outputs = [try sequence(results[0], layer, batchFirst, in: &context)]
    for state in results.dropFirst() { outputs.append(try final(state, layer, batchFirst, in: &context)) }
    return outputs
  }

  /// `[D, b, H]` (batch first `[b, D, H]`) as `[b, D·H]`.
  private static func initial(
    _ index: Int,
    _ layer: ONNXRecurrentLayer,
    _ batchFirst: Bool,
    in context: inout ONNXContext
  )
    throws(Diagnostic) -> ValueID?
  {
    guard let state = context.input(index) else { return nil }
    let turned = batchFirst ? state : try context.emit(Transpose([1, 0, 2]), state)
    return try context.emit(Reshape(), turned, context.constant(ints: [0, layer.directions * layer.hidden], "states"))
  }

  /// `[s, b, D·H]` as `[s, D, b, H]`, batch first `[b, s, D, H]`.
  private static func sequence(
    _ y: ValueID,
    _ layer: ONNXRecurrentLayer,
    _ batchFirst: Bool,
    in context: inout ONNXContext
  )
    throws(Diagnostic) -> ValueID
  {
    let shape = context.constant(ints: [0, 0, layer.directions, layer.hidden], "sequence")
    let split = try context.emit(Reshape(), y, shape)
    return try context.emit(Transpose(batchFirst ? [1, 0, 2, 3] : [0, 2, 1, 3]), split)
  }

  /// `[b, D·H]` as `[D, b, H]`, batch first `[b, D, H]`.
  private static func final(
    _ h: ValueID,
    _ layer: ONNXRecurrentLayer,
    _ batchFirst: Bool,
    in context: inout ONNXContext
  )
    throws(Diagnostic) -> ValueID
  {
    let split = try context.emit(Reshape(), h, context.constant(ints: [0, layer.directions, layer.hidden], "final"))
    return batchFirst ? split : try context.emit(Transpose([1, 0, 2]), split)
  }
}
