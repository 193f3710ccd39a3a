import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Conv` → `conv`. `auto_pad` becomes explicit padding where sizes are known.
package enum ONNXConv: ONNXOperator {
  package static let types = ["Conv"]
  package static var operation: String? { "conv" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (x, weight) = (try context.required(0), try context.required(1))
    let op = try op(node, data: context.fact(x), weight: context.fact(weight))
    return [try context.emit(op, x, weight, context.input(2))]
  }

  /// The operation that the attributes of a convolution node mean for data and a weight of these shapes.
  static func op(_ node: ONNXNode, data: Fact, weight: Fact) throws(Diagnostic) -> Conv {
    guard data.rank >= 3, data.rank == weight.rank else {
      throw Diagnostic("conv.rank", "the data is \(data.type), but the weight is \(weight.type)")
    }
    try checkKernelShape(node, weight.shape)
    var window = try ONNXWindow(node)
    try window.settle("conv", kernel: Array(weight.shape[2...]), input: Array(data.shape[2...]))
    var op = Conv()
    op.strides = window.strides
    op.dilations = window.dilations
    op.pad = window.pad
    op.padType = window.padType
    op.groups = try node.int("group", default: 1)
    return op
  }

  /// `kernel_shape`, when given, is the weight's. Throws `onnx.kernel-shape`.
  static func checkKernelShape(_ node: ONNXNode, _ weight: [Dim]) throws(Diagnostic) {
    guard let kernel = try node.ints("kernel_shape") else { return }
    let extents = weight[2...].compactMap(\.constant)
    guard kernel.count == weight.count - 2, extents.count < kernel.count || extents == kernel else {
      throw Diagnostic("onnx.kernel-shape", "kernel_shape is \(kernel), but the weight's is \(Array(weight[2...]))")
    }
  }
}
