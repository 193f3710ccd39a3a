import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `MatMulNBits`, a product by a constant matrix of integers of 2, 4 or 8 bits, → `linear` of a weight
/// that stays compressed. Where the last block of a row is cut, the data is padded with zeros instead.
package enum ONNXMatMulNBits: ONNXMicrosoftOperator {
  package static let types = ["MatMulNBits"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    var x = try context.required(0)
    guard let packed = try context.constant(1, "B"), let scales = try context.constant(2, "scales") else {
      throw Diagnostic("onnx.missing-input", "inputs 1 and 2 are required")
    }
    guard context.input(4) == nil, try node.int("weight_prepacked", default: 0) == 0 else {
      throw Diagnostic("onnx.quantization", "g_idx and weight_prepacked are not supported", kind: .unsupported)
    }
    let (depth, columns) = (try node.int("K", default: 0), try node.int("N", default: 0))
    let (block, bits) = (try node.int("block_size", default: 0), try node.int("bits", default: 4))
    let limit = 1 << 32
    guard 1..<limit ~= depth, 1..<limit ~= columns, 1..<limit ~= block, [2, 4, 8].contains(bits) else {
      throw Diagnostic("onnx.quantization", "\(columns) × \(depth) in blocks of \(block) with \(bits) bits")
    }
    let blocks = (depth + block - 1) / block
    let codes = try ONNXBlockWeights.unpacked(packed, bits: bits, [columns, blocks * block])
    guard let grid = scales.viewed(as: scales.dtype, [columns, blocks]) else {
      throw Diagnostic("onnx.quantization", "scales is \(scales.type), expected \([columns, blocks])")
    }
    let zeros = try zeroPoints(bits, [columns, blocks], in: context)
    let weight = try ONNXBlockWeights.value(codes, grid, zeros, in: &context)
    if blocks * block > depth {
      let amounts = [Int](repeating: 0, count: 2 * context.fact(x).rank - 1) + [blocks * block - depth]
      x = try context.emit(Pad(mode: "constant"), x, context.constant(ints: amounts, "pad"))
    }
    return [try context.emit(Linear(), x, weight, context.input(5))]
  }

  /// Packed like the weight, or numbers of the type of the data.
  private static func zeroPoints(_ bits: Int, _ shape: [Int], in context: ONNXContext) throws(Diagnostic) -> Tensor {
    guard let given = try context.constant(3, "zero_points") else {
      return try ONNXBlockWeights.middle(bits: bits, shape)
    }
    if given.dtype == .uint8 { return try ONNXBlockWeights.unpacked(given, bits: bits, shape) }
    guard given.dtype.isFloat, let grid = given.viewed(as: given.dtype, shape) else {
      throw Diagnostic("onnx.quantization", "zero_points is \(given.type), expected \(shape)")
    }
    return grid
  }
}
