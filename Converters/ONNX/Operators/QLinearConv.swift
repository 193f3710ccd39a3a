import MLCCore
import MLCGraph
import MLCOps

/// ONNX `QLinearConv` → `conv` with exact sums and the `int32` bias, scaled by `x_scale · w_scale / y_scale` and
/// rounded. Scale and zero point of the weight may be given for each output channel.
package enum ONNXQLinearConv: ONNXOperator {
  package static let types = ["QLinearConv"]
  package static var sinceOpset: Int { 10 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (x, weight) = (try context.required(0), try context.required(3))
    let (scaleX, zeroX) = (try context.number(1), try context.number(2))
    let (scaleY, zeroY) = (try context.number(6), try context.number(7))
    let zeroW = try context.spread(try context.required(5), over: weight, axis: 0)
    var sums = try ONNXIntegerConvolution.sums(node, x, zeroX, weight, zeroW, in: &context)
    if let bias = context.input(8) {
      let type = context.fact(bias).type
      guard type.dtype == .int32, type.rank == 1, ONNXContext.fits(type.shape[0], context.fact(weight).shape[0]) else {
        throw Diagnostic("onnx.quantization", "the bias is \(type), the weight \(context.fact(weight).type)")
      }
      sums = try context.emit(Add(), sums, try context.spread(bias, over: sums, axis: 1))
    }
    let scaleW = try context.spread(try context.required(4), over: sums, axis: 1)
    let product = try context.emit(Mul(), scaleX, scaleW)
    return [try context.requantized(sums, try context.emit(RealDiv(), product, scaleY), zeroY)]
  }
}
