import MLCCore
import MLCGraph
import MLCOps

/// Constants of onnxruntime's blockwise quantised operators: integers of few bits, packed in bytes, of which each block
/// along an axis has a scale and a zero point.
enum ONNXBlockWeights {
  /// Rows of `shape.last` integers of 2, 4 or 8 bits in the bytes of `packed`, low bits first; each row begins a byte.
  /// Two bits become four: constants are decompressed from these. Throws `onnx.quantization`.
  static func unpacked(_ packed: Tensor, bits: Int, _ shape: [Int]) throws(Diagnostic) -> Tensor {
    let misfit = Diagnostic("onnx.quantization", "\(packed.type) is not \(shape) integers of \(bits) bits")
    guard let dtype = [2: DType.uint2, 4: .uint4, 8: .uint8][bits], packed.dtype == .uint8, let columns = shape.last,
      columns > 0, columns < 1 << 40, let rows = shape.dropLast().checkedProduct
    else { throw misfit }
    let bytes = (columns * bits + 7) / 8
    let stored = bytes * (8 / bits)
    guard [rows, bytes].checkedProduct == packed.byteCount, let whole = packed.viewed(as: dtype, [rows, stored])
    else { throw misfit }
    if stored == columns, bits > 2, let tensor = whole.viewed(as: dtype, shape) { return tensor }
    let codes = whole.codes
    let kept = (0..<rows).flatMap { codes[$0 * stored..<$0 * stored + columns] }
    return Tensor(bits == 2 ? .uint4 : dtype, shape, codes: kept)
  }

  /// `(codes − zero points) · scales` as `constexpr_blockwise_shift_scale`; scales and zero points have the rank of
  /// `codes` and divide its shape. Throws `onnx.quantization`.
  static func value(_ codes: Tensor, _ scales: Tensor, _ zeroPoints: Tensor?, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    guard zeroPoints == nil || zeroPoints!.shape == scales.shape, scales.rank == codes.rank,
      zip(codes.shape, scales.shape).allSatisfy({ $1 > 0 && $0.isMultiple(of: $1) })
    else {
      let blocks = "\(scales.type) does not divide \(codes.type) into blocks"
      throw Diagnostic("onnx.quantization", blocks, kind: .unsupported)
    }
    let offset = zeroPoints.map { context.constant($0, "zero_points") }
    let (data, scale) = (context.constant(codes, "data"), context.constant(scales, "scales"))
    return try context.emit(ConstexprBlockwiseShiftScale(), data, scale, offset)
  }

  /// The middle of unsigned integers of `bits` bits for each of `shape`, what zero points are that are left out.
  static func middle(bits: Int, _ shape: [Int]) throws(Diagnostic) -> Tensor {
    guard let count = shape.checkedProduct, count < 1 << 40 else {
      throw Diagnostic("onnx.quantization", "\(shape) blocks are too many")
    }
    return Tensor(bits == 8 ? .uint8 : .uint4, shape, codes: [UInt8](repeating: 1 << (bits - 1), count: count))
  }
}
