import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Pad` → `pad`. Amounts and value are attributes until version 11, the amounts `paddings` in version 1; `axes`
/// (version 18) must be constant. ONNX lists all amounts before, then all after; `pad` wants them axis by axis.
package enum ONNXPad: ONNXOperator {
  package static let types = ["Pad"]
  package static var operation: String? { "pad" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let hasAttributes = context.opset < 11 && node.domain.isEmpty
    let pads = try amounts(node, rank: context.fact(x).rank, in: &context)
    let mode = try node.string("mode", default: "constant")
    guard let name = ["constant": "constant", "reflect": "reflect", "edge": "replicate", "wrap": "wrap"][mode] else {
      throw Diagnostic("onnx.pad", "there is no mode '\(mode)'")
    }
    var value = hasAttributes ? nil : context.input(2)
    if let given = value, context.fact(given).shape == [1] { value = try context.emit(Squeeze([0]), given) }
    if hasAttributes {
      let number = Double(try node.float("value", default: 0))
      value = try context.constant(number, context.fact(x).dtype, "value")
    }
    return [try context.emit(Pad(mode: name), x, pads, value)]
  }

  private static func amounts(_ node: ONNXNode, rank: Int, in context: inout ONNXContext) throws(Diagnostic) -> ValueID
  {
    if context.opset < 11, node.domain.isEmpty {
      guard let pads = try node.ints(context.opset < 2 ? "paddings" : "pads") else {
        throw Diagnostic("onnx.pad", "attribute 'pads' is missing")
      }
      return context.constant(ints: try interleaved(pads, Array(0..<rank), rank), "pads")
    }
    var pads = try context.required(1)
    if context.fact(pads).rank == 2, context.fact(pads).shape[0] == 1 {
      pads = try context.emit(Squeeze([0]), pads)
    }
    guard context.fact(pads).dtype.isInteger else {
      throw Diagnostic("onnx.pad", "amounts are \(context.fact(pads).type), expected integers")
    }
    let axes = try context.constant(3, "axes")?.integers
    let order = try normalized(axes: axes ?? Array(0..<rank), rank: rank, "pad")
    if let numbers = context.fact(pads).integers {
      return context.constant(ints: try interleaved(numbers, order, rank), "pads")
    }
    guard context.fact(pads).shape == [Dim(2 * order.count)] else {
      throw Diagnostic("onnx.pad", "\(context.fact(pads).type) amounts for \(order.count) axes")
    }
    let zero = context.constant(Tensor(context.fact(pads).dtype, [1], [0]))
    let all = try context.builder.append(Concat(axis: 0), [[pads, zero]], origin: context.origin)[0]
    let places = try interleaved(Array(0..<2 * order.count), order, rank, missing: 2 * order.count)
    return try context.emit(Gather(axis: 0), all, context.constant(ints: places))
  }

  /// Before and after of axis 0, of axis 1, …; `missing` for axes that are not listed.
  private static func interleaved(_ pads: [Int], _ axes: [Int], _ rank: Int, missing: Int = 0) throws(Diagnostic)
    -> [Int]
  {
    guard pads.count == 2 * axes.count else {
      throw Diagnostic("onnx.pad", "\(pads.count) amounts for \(axes.count) axes")
    }
    return (0..<rank).flatMap { axis in
      axes.firstIndex(of: axis).map { [pads[$0], pads[$0 + axes.count]] } ?? [missing, missing]
    }
  }
}
