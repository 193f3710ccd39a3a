import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `DynamicQuantizeLSTM` → `lstm` with the weights as numbers. What comes in and the state are not
/// rounded to bytes on the way, as onnxruntime rounds them: the result is that of the weights.
package enum ONNXDynamicQuantizeLSTM: ONNXMicrosoftOperator {
  package static let types = ["DynamicQuantizeLSTM"]
  package static var note: String { "inputs and states are not rounded to bytes" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let weights = try (0..<2).map { index throws(Diagnostic) in try weight(1 + index, 8 + 2 * index, in: &context) }
    let count = context.definitionCount
    defer {
      context.forget(since: count)
      context.node = node
    }
    var plain = node
    (plain.opType, plain.inputs) = ("LSTM", Array(node.inputs.prefix(8)))
    for (index, value) in weights.enumerated() {
      // Not a name of the model's: those are UTF-8 without zeros.
      plain.inputs[1 + index] = "\0weight\(index)"
      context.define(plain.inputs[1 + index], .tensor(value))
    }
    context.node = plain
    return try ONNXRecurrent.convert(plain, in: &context)
  }

  /// Input `index`, `[directions, rows, gates]`, as `[directions, gates, rows]`; its scale and zero point, inputs
  /// `scale` and the next, are `[directions]` or `[directions, gates]`.
  private static func weight(_ index: Int, _ scale: Int, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    let bytes = try context.required(index)
    guard context.fact(bytes).rank == 3 else {
      throw Diagnostic("onnx.quantization", "a weight of an LSTM is \(context.fact(bytes).type)")
    }
    var form: [ValueID] = []
    for part in [scale, scale + 1] {
      let given = try context.required(part)
      let rank = context.fact(given).rank
      guard 1...2 ~= rank else {
        throw Diagnostic("onnx.quantization", "input \(part) is \(context.fact(given).type)")
      }
      let whole = try context.emit(ExpandDims(rank == 1 ? [1, 2] : [1]), given)
      form.append(try context.spread(whole, over: bytes, axis: 0))
    }
    let plain = try context.dequantized(bytes, ONNXQuantization(scale: form[0], zeroPoint: form[1]))
    return try context.emit(Transpose([0, 2, 1]), plain)
  }
}
