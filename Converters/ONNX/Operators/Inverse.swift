import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `Inverse` of matrices `T[*B, m, m]`: Gauss' and Jordan's elimination beside the unit matrix, step by
/// step with the greatest element of what is left of a column as pivot, in float32 at least. m must be known, up to 32.
/// Matrices that have no inverse give infinities or NaN.
package enum ONNXInverse: ONNXMicrosoftOperator {
  package static let types = ["Inverse"]
  package static var note: String { "matrices of up to 32 rows" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let given = try context.required(0)
    let data = context.fact(given)
    guard data.rank >= 2, data.dtype.isFloat, let size = data.shape[data.rank - 1].constant,
      1...ONNXDet.limit ~= size, data.shape[data.rank - 2].constant == size
    else {
      let message = "\(data.type) is no square matrix of up to \(ONNXDet.limit) rows"
      throw Diagnostic("onnx.det", message, kind: .unsupported)
    }
    let x = try context.cast(given, to: data.dtype == .float64 ? .float64 : .float32)
    let numbers = (0..<size * size).map { $0 % (size + 1) == 0 ? 1.0 : 0 }
    let unit = context.constant(Tensor(context.fact(x).dtype, [size, size], numbers), "unit")
    let units = try context.emit(BroadcastTo(), unit, try context.emit(Shape(dtype: .int64), x))
    var both = try context.concat([x, units], axis: data.rank - 1)
    for column in 0..<size { both = try cleared(both, column, of: size, in: &context) }
    return [try context.cast(try context.slice(both, axis: data.rank - 1, from: size), to: data.dtype)]
  }

  /// `x` after one step: 1 at `column` of the row of that number, 0 in the others.
  private static func cleared(_ x: ValueID, _ column: Int, of rows: Int, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    let (row, last) = (context.fact(x).rank - 2, context.fact(x).rank - 1)
    let zero = try context.number(0, like: x)
    let numbers = context.constant(Tensor(.int32, [rows, 1], Array(0..<rows)), "rows")
    let isOwn = context.constant(Tensor(.bool, [rows, 1], (0..<rows).map { $0 == column ? 1 : 0 }), "row")
    let isLeft = context.constant(Tensor(.bool, [rows, 1], (0..<rows).map { $0 >= column ? 1 : 0 }), "left")
    let sizes = try context.emit(Abs(), try context.slice(x, axis: last, from: column, to: column + 1))
    let candidates = try context.emit(Select(), isLeft, sizes, try context.number(-1, like: x))
    let place = try context.emit(ReduceArgmax(axis: row, keepDims: true), candidates)
    let isPivot = try context.emit(Equal(), numbers, place)
    let sum = ReduceSum(axes: [row], keepDims: true)
    let line = try context.emit(sum, try context.emit(Select(), isPivot, x, zero))
    let first = try context.slice(x, axis: row, from: column, to: column + 1)
    let swapped = try context.emit(Select(), isPivot, first, x)
    let unit = try context.emit(RealDiv(), line, try context.slice(line, axis: last, from: column, to: column + 1))
    let factor = try context.slice(swapped, axis: last, from: column, to: column + 1)
    let rest = try context.emit(Sub(), swapped, try context.emit(Mul(), factor, unit))
    return try context.emit(Select(), isOwn, unit, rest)
  }
}
