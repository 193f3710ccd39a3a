import MLCCore
import MLCGraph
import MLCOps

/// ONNX `ConvTranspose` → `conv_transpose`, with explicit padding: `auto_pad` asks for `D·stride` outputs,
/// `output_shape` for any; what the whole result exceeds them by is padding, what it lacks is output padding.
package enum ONNXConvTranspose: ONNXOperator {
  package static let types = ["ConvTranspose"]
  package static var operation: String? { "conv_transpose" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (x, weight) = (try context.required(0), try context.required(1))
    let (data, kernel) = (context.fact(x), context.fact(weight))
    guard data.rank >= 3, data.rank == kernel.rank else {
      throw Diagnostic("conv_transpose.rank", "the data is \(data.type), but the weight is \(kernel.type)")
    }
    try ONNXConv.checkKernelShape(node, kernel.shape)
    let window = try ONNXWindow(node)
    var op = ConvTranspose()
    op.strides = window.strides
    op.dilations = window.dilations
    op.pad = window.pad
    op.groups = try node.int("group", default: 1)
    op.outputPadding = try node.ints("output_padding") ?? []
    let wanted = try node.ints("output_shape")
    if wanted != nil || window.padType.hasPrefix("same") {
      try settle(&op, window, wanted: wanted, data: Array(data.shape[2...]), kernel: Array(kernel.shape[2...]))
    }
    return [try context.emit(op, x, weight, context.input(2))]
  }

  private static func settle(
    _ op: inout ConvTranspose,
    _ window: ONNXWindow,
    wanted: [Int]?,
    data: [Dim],
    kernel: [Dim]
  ) throws(Diagnostic) {
    let wanted = wanted.map { Array($0.suffix(data.count)) }
    let bare = try SpatialWindow(
      "conv_transpose",
      kernel: kernel,
      strides: op.strides,
      dilations: op.dilations,
      pad: [],
      padType: "custom"
    )
    guard wanted.map({ $0.count == data.count }) ?? true,
      op.outputPadding.isEmpty || op.outputPadding.count == data.count
    else { throw Diagnostic("onnx.output-shape", "output_shape or output_padding do not fit \(data.count) axes") }
    var (pad, extra) = ([Int](), [Int]())
    for axis in data.indices {
      let padding = op.outputPadding.isEmpty ? 0 : op.outputPadding[axis]
      let target = wanted.map { Dim($0[axis]) } ?? data[axis] * Dim(bare.strides[axis])
      let whole = (data[axis] - 1) * Dim(bare.strides[axis]) + bare.dilated(axis) + Dim(padding)
      guard let total = (whole - target).constant else {
        let message = "output_shape needs a model whose input sizes are known; give them with --input"
        throw Diagnostic("onnx.output-shape", message, kind: .unsupported)
      }
      let half = max(total, 0) / 2
      let low = window.padType == "same" ? half : max(total, 0) - half
      pad += [low, max(total, 0) - low]
      extra.append(padding + max(-total, 0))
    }
    (op.pad, op.outputPadding) = (pad, extra)
  }
}
