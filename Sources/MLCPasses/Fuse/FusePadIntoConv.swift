import MLCCore
import MLCGraph
import MLCOps

/// Zeros that `pad` puts around the spatial axes become padding of the convolution that reads them.
///
/// ```
/// %p = pad(x, [1, 1, 1, 1]); %y = conv(%p, w, pad = [])   →   %y = conv(x, w, pad = [1, 1, 1, 1])
/// ```
/// The convolution's own padding is given in numbers, and its weights are known and finite: a convolution skips what
/// its own padding would multiply, where zeros times infinity are NaN. Other readers of the padded tensor keep it.
package struct FusePadIntoConv: Rewrite {
  package static let phase = Phase.canonicalize
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard var conv = operation.op as? Conv, ["custom", "valid"].contains(conv.padType),
      let input = operation.inputs[0].first, let (source, pad) = graph.producer(input, as: Pad.self),
      let x = source.inputs[0].first, let added = amounts(source, pad, graph),
      let weight = operation.argument("weight"), isFinite(weight, graph)
    else { return nil }
    let own = conv.padType == "custom" && !conv.pad.isEmpty ? conv.pad : [Int](repeating: 0, count: added.count)
    guard own.count == added.count else { return nil }
    (conv.pad, conv.padType) = (zip(own, added).map { $0 + $1 }, "custom")
    return graph.patch(try graph.emit(conv, x, weight, operation.argument("bias")))
  }

  /// Whether no element can be infinite or NaN: those of a constant are looked at; those of a compressed one are
  /// products of sums of two numbers at most, of what it is made from.
  private func isFinite(_ weight: ValueID, _ graph: GraphEditor) -> Bool {
    if let tensor = graph.constant(weight) { return tensor.largestMagnitude.isFinite }
    guard let bound = bound(weight, graph) else { return false }
    return bound <= (graph.type(weight).dtype == .float16 ? 65504 : Double(Float.greatestFiniteMagnitude))
  }

  /// What no element of a compressed constant exceeds.
  private func bound(_ value: ValueID, _ graph: GraphEditor) -> Double? {
    if let tensor = graph.constant(value) { return max(1, tensor.largestMagnitude) }
    guard let operation = graph.producer(value), operation.isConstantExpression else { return nil }
    var product = 1.0
    for input in operation.inputs.joined() {
      guard let factor = bound(input, graph) else { return nil }
      product *= 2 * factor
    }
    return product
  }

  /// What `pad` adds around each spatial axis; `nil` when it does anything else.
  private func amounts(_ operation: Operation, _ pad: Pad, _ graph: GraphEditor) -> [Int]? {
    guard pad.mode == "constant", let id = operation.argument("pad"), let given = graph.constant(id)?.integers,
      let rank = operation.inputs[0].first.map({ graph.type($0).rank }), rank > 2, given.count <= 2 * rank
    else { return nil }
    if let value = operation.argument("constant_val"), graph.number(value) != 0 { return nil }
    let whole = [Int](repeating: 0, count: 2 * rank - given.count) + given
    guard whole.prefix(4).allSatisfy({ $0 == 0 }), whole.allSatisfy({ $0 >= 0 && $0 <= 1 << 16 }) else { return nil }
    return Array(whole.dropFirst(4))
  }
}
