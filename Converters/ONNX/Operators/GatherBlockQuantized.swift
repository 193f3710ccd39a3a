import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `GatherBlockQuantized`, rows of a constant table of integers of 2, 4 or 8 bits, → `gather` of a table
/// that stays compressed.
package enum ONNXGatherBlockQuantized: ONNXMicrosoftOperator {
  package static let types = ["GatherBlockQuantized"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    guard let data = try context.constant(0, "data"), let scales = try context.constant(2, "scales") else {
      throw Diagnostic("onnx.missing-input", "inputs 0 and 2 are required")
    }
    let (axis, bits) = (try node.int("gather_axis", default: 0), try node.int("bits", default: 4))
    let given = try context.constant(3, "zero_points")
    let (codes, zeros): (Tensor, Tensor?)
    switch data.dtype {
    case .int4, .uint4: (codes, zeros) = (data, given)
    case .uint8:
      guard [2, 4, 8].contains(bits), let last = data.shape.last, last < 1 << 40 else { throw misfit(data, bits) }
      codes = try ONNXBlockWeights.unpacked(data, bits: bits, data.shape.dropLast() + [last * (8 / bits)])
      zeros =
        if let given { try ONNXBlockWeights.unpacked(given, bits: bits, scales.shape) } else {
          try ONNXBlockWeights.middle(bits: bits, scales.shape)
        }
    default: throw misfit(data, bits)
    }
    try check(node, codes, scales)
    let table = try ONNXBlockWeights.value(codes, scales, zeros, in: &context)
    return [try context.emit(Gather(axis: axis), table, try context.required(1))]
  }

  private static func misfit(_ data: Tensor, _ bits: Int) -> Diagnostic {
    Diagnostic("onnx.quantization", "a table of \(data.type) with \(bits) bits", kind: .unsupported)
  }

  /// Throws `onnx.quantization` where the scales are not those of whole blocks of `block_size`.
  private static func check(_ node: ONNXNode, _ codes: Tensor, _ scales: Tensor) throws(Diagnostic) {
    let block = try node.int("block_size", default: 128)
    let axis = try normalized(
      axis: try node.int("quantize_axis", default: 1),
      rank: codes.rank,
      "gather_block_quantized"
    )
    let extent = codes.shape[axis]
    guard block > 0, extent.isMultiple(of: block) else {
      let message = "blocks of \(block) do not divide an axis of \(extent)"
      throw Diagnostic("onnx.quantization", message, kind: .unsupported)
    }
    var grid = codes.shape
    grid[axis] = extent / block
    guard scales.shape == grid else {
      throw Diagnostic("onnx.quantization", "scales is \(scales.type), expected \(grid)")
    }
  }
}
