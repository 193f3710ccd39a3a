import MLCCore
import MLCGraph
import MLCOps

/// ONNX `DequantizeLinear`, `(x − zero point) · scale`, → `cast`, `sub`, `mul`.
///
/// A constant of 2, 4 or 8 bits or of small floats and several axes is a weight that was quantised to be small: it
/// stays so, as `constexpr_blockwise_shift_scale`; 2 bits as 4.
package enum ONNXDequantizeLinear: ONNXOperator {
  package static let types = ["DequantizeLinear"]
  package static var sinceOpset: Int { 10 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let dtype = try ONNXQuantizeLinear.type("output_dtype", of: node)
    if let weight = try compressed(node, dtype, in: &context) { return [weight] }
    return [try context.dequantized(x, try context.quantization(node, of: x), as: dtype)]
  }

  /// `nil` where it is none of these, or blocks do not divide it.
  private static func compressed(_ node: ONNXNode, _ dtype: DType?, in context: inout ONNXContext) throws(Diagnostic)
    -> ValueID?
  {
    func value(_ index: Int) -> Tensor? { context.input(index).flatMap { context.fact($0).value } }
    guard let codes = value(0), var scales = value(1), scales.dtype.isFloat, codes.rank > 1, codes.count > 0,
      codes.dtype.smallFloat?.isSigned ?? (codes.dtype.isInteger && codes.dtype.bitWidth <= 8),
      let grid = try grid(node, codes, scales.shape)
    else { return nil }
    if scales.dtype == .float8e8m0, let dtype { scales = scales.converted(to: dtype) }
    guard scales.dtype == dtype ?? scales.dtype, scales.dtype.smallFloat == nil else { return nil }
    let zeros = value(2)
    guard context.input(2) == nil || zeros?.dtype == codes.dtype && zeros?.shape == scales.shape else { return nil }
    let offsets = codes.dtype.isFloat && zeros?.doubles.allSatisfy { $0 == 0 } ?? true ? nil : zeros?.reshaped(grid)
    return try ONNXBlockWeights.value(stored(codes), scales.reshaped(grid), offsets.map(stored), in: &context)
  }

  /// Elements of a type that compressed constants have.
  private static func stored(_ codes: Tensor) -> Tensor {
    codes.dtype.bitWidth == 2 ? codes.converted(to: codes.dtype.isSigned ? .int4 : .uint4) : codes
  }

  /// Into how many blocks each axis of `codes` divides; `nil` for another form.
  private static func grid(_ node: ONNXNode, _ codes: Tensor, _ scales: [Int]) throws(Diagnostic) -> [Int]? {
    let axis = try normalized(axis: try node.int("axis", default: 1), rank: codes.rank, "dequantize_linear")
    let (block, extent) = (try node.int("block_size", default: 0), codes.shape[axis])
    var grid = codes.shape
    if block > 0 {
      grid[axis] = extent / block
      return extent.isMultiple(of: block) && scales == grid ? grid : nil
    }
    guard scales.isEmpty || scales == [1] || scales == [extent] else { return nil }
    grid = [Int](repeating: 1, count: codes.rank)
    grid[axis] = scales.first ?? 1
    return grid
  }
}
