import MLCCore
import MLCGraph
import MLCOps

/// ONNX `CausalConvWithState`: `conv` of each channel with a kernel of its own, over the last elements of the past, or
/// zeros, and the data `[N, C, L]`; then `silu` where `activation` says so. The second output is what the next call
/// takes as its past: the last elements, one fewer than the kernel has.
package enum ONNXCausalConvWithState: ONNXOperator {
  package static let types = ["CausalConvWithState"]
  package static var sinceOpset: Int { 27 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (x, weight) = (try context.required(0), try context.required(1))
    let (data, kernel) = (context.fact(x), context.fact(weight))
    let activation = try node.string("activation", default: "none")
    guard data.rank == 3, kernel.rank == 3, let channels = kernel.shape[0].constant,
      let size = kernel.shape[2].constant, size > 0, size < 1 << 31, ["none", "silu", "swish"].contains(activation)
    else {
      throw Diagnostic("onnx.causal-conv", "a kernel \(kernel.type) and '\(activation)' for \(data.type)")
    }
    let whole = try behindPast(x, size - 1, in: &context)
    var op = Conv()
    op.groups = channels
    var y = try context.emit(op, whole, weight, context.input(2))
    if activation != "none" { y = try context.emit(Silu(), y) }
    let last = size == 1 ? (0, 0) : (1 - size, nil as Int?)
    return [y, try context.slice(whole, axis: 2, from: last.0, to: last.1)]
  }

  /// `x` behind `count` elements of the past.
  private static func behindPast(_ x: ValueID, _ count: Int, in context: inout ONNXContext) throws(Diagnostic)
    -> ValueID
  {
    if let past = context.input(3) {
      guard context.fact(past).rank == 3, ONNXContext.fits(context.fact(past).shape[2], Dim(count)) else {
        throw Diagnostic("onnx.causal-conv", "the past is \(context.fact(past).type), not of \(count) elements")
      }
      return try context.concat([past, x], axis: 2)
    }
    if count == 0 { return x }
    return try context.emit(Pad(mode: "constant"), x, context.constant(ints: [0, 0, 0, 0, count, 0], "pad"))
  }
}
