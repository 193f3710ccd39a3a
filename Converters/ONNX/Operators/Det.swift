import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Det` as Gauss' elimination, step by step with the greatest element of a column as pivot: `T[*B, m, m]` →
/// `T[*B]`, computed in float32 at least. m must be known, up to `limit`.
package enum ONNXDet: ONNXOperator {
  package static let types = ["Det"]
  package static let sinceOpset = 11
  package static var note: String { "matrices of up to 32 rows" }

  static let limit = 32

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let data = context.fact(x)
    guard data.rank >= 2, data.dtype.isFloat, let size = data.shape[data.rank - 1].constant, 1...limit ~= size,
      data.shape[data.rank - 2].constant == size
    else {
      let reason = "\(data.type) is no square matrix of up to \(limit) rows"
      throw Diagnostic("onnx.det", .init(reason), kind: .unsupported)
    }
    let axes = [data.rank - 2, data.rank - 1]
    var rest = try context.cast(x, to: data.dtype == .float64 ? .float64 : .float32)
    var product: ValueID?
    for rows in (1...size).reversed() {
      let step = rows == 1 ? (pivot: rest, rest: rest) : try eliminate(rest, rows, in: &context)
      product = try product.map { (p) throws(Diagnostic) in try context.emit(Mul(), p, step.pivot) } ?? step.pivot
      rest = step.rest
    }
    return [try context.cast(try context.emit(Squeeze(axes), product ?? rest), to: data.dtype)]
  }

  /// The pivot of the first column, negated when rows change places, `[*B, 1, 1]`; and what is left of the other rows
  /// and columns. A column of zeros leaves them as they are.
  private static func eliminate(_ x: ValueID, _ rows: Int, in context: inout ONNXContext)
    throws(Diagnostic) -> (pivot: ValueID, rest: ValueID)
  {
    let (row, column) = (context.fact(x).rank - 2, context.fact(x).rank - 1)
    let zero = try context.number(0, like: x)
    let first = try context.slice(x, axis: column, from: 0, to: 1)
    let best = ReduceArgmax(axis: row, keepDims: true)
    let place = try context.emit(best, try context.emit(Abs(), first))
    let numbers = context.constant(Tensor(.int32, [rows, 1], Array(0..<rows)), "rows")
    let isPivot = try context.emit(Equal(), numbers, place)
    let chosen = try context.emit(Select(), isPivot, x, zero)
    let line = try context.emit(ReduceSum(axes: [row], keepDims: true), chosen)
    let swapped = try context.emit(Select(), isPivot, try context.slice(x, axis: row, from: 0, to: 1), x)
    let others = try context.slice(swapped, axis: row, from: 1)
    let pivot = try context.slice(line, axis: column, from: 0, to: 1)
    let quotient = try context.emit(RealDiv(), try context.slice(others, axis: column, from: 0, to: 1), pivot)
    let isNone = try context.emit(Equal(), pivot, zero)
    let factor = try context.emit(Select(), isNone, zero, quotient)
    let product = try context.emit(Mul(), factor, try context.slice(line, axis: column, from: 1))
    let rest = try context.emit(Sub(), try context.slice(others, axis: column, from: 1), product)
    let isFirst = try context.emit(Equal(), place, context.constant(.scalar(.int32, 0), "first"))
    let signed = try context.emit(Select(), isFirst, pivot, try context.emit(Neg(), pivot))
    return (signed, rest)
  }
}
