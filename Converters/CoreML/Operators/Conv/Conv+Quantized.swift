import MLCCore
import MLCGraph
import MLCOps

/// A convolution whose weight is `quant_scale · weight + quant_bias`, one of both for all or for each output channel.
func importConvQuantized(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let weight = try node.required("weight")
  let (scale, offset) = (try node.required("quant_scale"), try node.required("quant_bias"))
  let kind = try node.text("quantization_type") ?? "linear"
  let channels = weight.shape.first ?? 1
  guard kind == "linear", weight.rank >= 3, weight.dtype.isInteger, scale.dtype.isFloat, offset.dtype.isFloat,
    [1, channels].contains(scale.count), [1, channels].contains(offset.count)
  else {
    throw Diagnostic(
      "coreml.parameter",
      "conv_quantized of kind '\(kind)' with \(scale.type) for \(weight.type)",
      kind: .unsupported
    )
  }
  let inner = max(1, weight.count / max(1, channels))
  let (scales, offsets) = (scale.doubles, offset.doubles)
  let numbers = weight.integers.enumerated().map { index, code in
    let channel = index / inner
    return scales[scales.count == 1 ? 0 : channel] * Double(code) + offsets[offsets.count == 1 ? 0 : channel]
  }
  var plain = node
  plain.type = Conv.name
  for name in ["quantization_type", "nbits", "quant_scale", "quant_bias"] { plain.arguments[name] = nil }
  plain.arguments["weight"] = [.constant(Tensor(scale.dtype, weight.shape, numbers))]
  if let bias = try node.constant("bias") { plain.arguments["bias"] = [.constant(bias.converted(to: scale.dtype))] }
  return try MILGenericImport.convert(plain, in: &context)
}
