import MLCCore
import MLCGraph
import MLCOps

/// One axis of a `Resize` that takes all elements which a place of the smaller result covers: a matrix of weights.
///
/// With n elements, scale s and output o at the position p (as `resize` has it), element j weighs K((j − p) · min(s,
/// 1)), all by their sum. K is the hat 1 − |t| for `linear`, the cubic kernel with the coefficient for `cubic`.
/// Elements beyond the edge are that at the edge, or with `exclude_outside` none. Source: ONNX `Resize`.
struct ONNXAntialias {
  let op: Resize
  let input: Int, output: Int
  let scale: Double

  /// `[output, input]`, row by row.
  var weights: [Double] {
    var matrix = [Double](repeating: 0, count: output * input)
    let narrow = min(scale, 1)
    let reach = op.mode == "linear" ? 1.0 : 2.0
    let first = Int((-reach / narrow).rounded(.down)) + 1
    for o in 0..<output {
      let place = position(Double(o))
      // The element left of the position, also where it is on one.
      let base = Int(place.rounded(.up)) - 1
      var (row, sum) = ([(Int, Double)](), 0.0)
      for index in base + first...base + 1 - first {
        if op.excludeOutside, !(0..<input).contains(index) { continue }
        let weight = kernel((Double(index) - place) * narrow)
        row.append((min(max(index, 0), input - 1), weight))
        sum += weight
      }
      for (index, weight) in row { matrix[o * input + index] += weight / sum }
    }
    return matrix
  }

  private func position(_ o: Double) -> Double {
    let (n, length) = (Double(input), scale * Double(input))
    switch op.coordinateMode {
    case "align_corners": return length == 1 ? 0 : o * (n - 1) / (length - 1)
    case "asymmetric": return o / scale
    case "pytorch_half_pixel": return length == 1 ? -0.5 : (o + 0.5) / scale - 0.5
    case "half_pixel_symmetric": return n / 2 * (1 - Double(output) / length) + (o + 0.5) / scale - 0.5
    default: return (o + 0.5) / scale - 0.5
    }
  }

  private func kernel(_ t: Double) -> Double {
    let (t, a) = (abs(t), op.cubicCoefficient)
    if op.mode == "linear" { return max(0, 1 - t) }
    if t <= 1 { return ((a + 2) * t - (a + 3)) * t * t + 1 }
    return t < 2 ? ((a * t - 5 * a) * t + 8 * a) * t - 4 * a : 0
  }

  /// `x` resized by `op`, by one product with a matrix for each axis that changes. Throws `onnx.resize` where extents
  /// or scales are not known, and for what antialiasing has no meaning.
  static func resize(_ x: ValueID, _ op: Resize, _ sizes: ValueID?, _ scales: ValueID?, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    guard op.mode != "nearest", op.coordinateMode != "tf_crop_and_resize", op.aspectPolicy == "stretch",
      context.fact(x).dtype.isFloat
    else {
      let message = "antialiasing takes floats, linear or cubic, without a region or a policy"
      throw Diagnostic("onnx.resize", message, kind: .unsupported)
    }
    for value in [sizes, scales].compactMap({ $0 }) where context.fact(value).elements == nil {
      if context.fact(value).value == nil {
        throw Diagnostic("onnx.not-constant", "antialiasing needs constant sizes or scales", kind: .unsupported)
      }
    }
    let operands = [[x], sizes.map { [$0] } ?? [], scales.map { [$0] } ?? []]
    let result = try infer(op, operands, blocks: [], label: "resized", in: context.builder.function)[0].type
    guard let from = context.fact(x).type.staticShape, let to = result.staticShape,
      zip(from, to).allSatisfy({ $0 > 0 && $1 > 0 && $0.saturatingProduct($1) <= 1 << 26 })
    else {
      throw Diagnostic("onnx.resize", "antialiasing takes and makes known extents", kind: .unsupported)
    }
    let factors = try scales.map { (scales) throws(Diagnostic) in try known(scales, context) }
    var y = try context.cast(x, to: result.dtype == .float64 ? .float64 : .float32)
    for (place, axis) in try op.resolvedAxes(rank: from.count).enumerated() {
      let scale = factors?[place] ?? Double(to[axis]) / Double(from[axis])
      if scale == 1, from[axis] == to[axis] { continue }
      let map = ONNXAntialias(op: op, input: from[axis], output: to[axis], scale: scale)
      let matrix = context.constant(Tensor(context.fact(y).dtype, [to[axis], from[axis]], map.weights), "weights")
      y = try product(matrix, y, axis: axis, in: &context)
    }
    return try context.cast(y, to: result.dtype)
  }

  private static func known(_ scales: ValueID, _ context: ONNXContext) throws(Diagnostic) -> [Double] {
    if let value = context.fact(scales).doubles { return value }
    throw Diagnostic("onnx.resize", "antialiasing needs constant scales", kind: .unsupported)
  }

  /// `matrix` times the vectors along `axis` of `x`.
  private static func product(_ matrix: ValueID, _ x: ValueID, axis: Int, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    let rank = context.fact(x).rank
    if rank > 1, axis == rank - 2 { return try context.emit(MatMul(), matrix, x) }
    if axis == rank - 1 { return try context.emit(MatMul(transposeY: true), x, matrix) }
    var order = Array(0..<rank)
    order.swapAt(axis, rank - 2)
    let turned = try context.emit(MatMul(), matrix, try context.emit(Transpose(order), x))
    return try context.emit(Transpose(order), turned)
  }
}
