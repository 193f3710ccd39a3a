import MLCCore
import MLCGraph
import MLCOps

/// What ONNX pools share.
enum ONNXPooling {
  static func read<Op: Pooling>(_ node: ONNXNode, _ x: Fact, into op: inout Op) throws(Diagnostic) {
    guard let kernel = try node.ints("kernel_shape"), kernel.count == x.rank - 2 else {
      throw Diagnostic("onnx.kernel-shape", "kernel_shape is missing or does not fit \(x.type)")
    }
    var window = try ONNXWindow(node)
    try window.settle(Op.name, kernel: kernel.map { Dim($0) }, input: Array(x.shape[2...]))
    op.kernelSizes = kernel
    op.strides = window.strides
    op.dilations = window.dilations
    op.pad = window.pad
    op.padType = window.padType
    op.ceilMode = try node.flag("ceil_mode")
  }
}
