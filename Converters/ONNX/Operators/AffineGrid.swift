import MLCCore
import MLCGraph
import MLCOps

/// ONNX `AffineGrid`: `theta: T[N, r, r + 1]` and the sizes `[N, C, *S]` of r axes → `T[N, *S, r]`, the places that the
/// matrices make of those of the elements, the last axis first. The ends are −1 and 1, of the axes or with
/// `align_corners` of the first and last element; a single element is at −1 then.
package enum ONNXAffineGrid: ONNXOperator {
  package static let types = ["AffineGrid"]
  package static let sinceOpset = 20

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (theta, size) = (try context.required(0), try context.required(1))
    let (matrices, sizes) = (context.fact(theta), context.fact(size))
    guard sizes.rank == 1, sizes.dtype.isInteger, let count = sizes.shape[0].constant.map({ $0 - 2 }), 2...3 ~= count,
      matrices.rank == 3, matrices.shape[1].constant == count, matrices.shape[2].constant == count + 1,
      matrices.dtype.isFloat
    else { throw Diagnostic("onnx.affine-grid", "\(matrices.type) are no matrices for sizes of \(sizes.type)") }
    let alignsCorners = try node.flag("align_corners")
    func column(_ index: Int) throws(Diagnostic) -> ValueID {
      let column = try context.element(index, of: theta, axis: 2)
      return try context.emit(ExpandDims(Array(1...count)), column)
    }
    var sum: ValueID?
    for axis in 0..<count {
      let place = try places(size, axis, matrices.dtype, alignsCorners: alignsCorners, in: &context)
      let spread = try context.emit(ExpandDims(Array(1...(count - axis))), place)
      let term = try context.emit(Mul(), try column(count - 1 - axis), spread)
      sum = try sum.map { (sum) throws(Diagnostic) in try context.emit(Add(), term, sum) } ?? term
    }
    return [try context.emit(Add(), sum ?? theta, try column(count))]
  }

  /// Where the elements of an axis lie between −1 and 1.
  private static func places(
    _ size: ValueID,
    _ axis: Int,
    _ dtype: DType,
    alignsCorners: Bool,
    in context: inout ONNXContext
  ) throws(Diagnostic) -> ValueID {
    if let extent = context.fact(size).elements?[axis + 2].constant, extent <= 1 << 16 {
      guard extent >= 0 else { throw Diagnostic("onnx.affine-grid", "an axis of \(extent) elements") }
      let steps = Double(alignsCorners ? max(1, extent - 1) : extent)
      let values = (0..<extent).map { Double(2 * $0 + (alignsCorners ? 0 : 1)) / steps - 1 }
      return context.constant(Tensor(dtype, [extent], values), "places")
    }
    let extent = try context.cast(try context.element(axis + 2, of: size, axis: 0), to: .int64)
    let ends = [context.constant(.scalar(.int64, 0), "start"), context.constant(.scalar(.int64, 1), "step")]
    let index = try context.cast(try context.emit(Range1D(), extent, ends[0], ends[1]), to: dtype)
    var steps = try context.cast(extent, to: dtype)
    if alignsCorners {
      steps = try context.emit(Maximum(), try context.raised(steps, by: -1), try context.number(1, like: steps))
    }
    let place = try context.raised(try context.scaled(index, by: 2), by: alignsCorners ? 0 : 1)
    return try context.raised(try context.emit(RealDiv(), place, steps), by: -1)
  }
}
