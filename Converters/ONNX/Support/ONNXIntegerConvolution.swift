import MLCCore
import MLCGraph
import MLCOps

/// A convolution of bytes whose sums are exact: `conv` in float32 where no sum can leave the whole numbers that it
/// holds, else in float64.
enum ONNXIntegerConvolution {
  /// `Σ (x − zeroX) · (w − zeroW)` of the node as `int32` that wraps; padding adds nothing. Zero points broadcast.
  static func sums(
    _ node: ONNXNode,
    _ x: ValueID,
    _ zeroX: ValueID?,
    _ weight: ValueID,
    _ zeroW: ValueID?,
    in context: inout ONNXContext
  ) throws(Diagnostic) -> ValueID {
    try context.requireBytes([x, weight])
    let op = try ONNXConv.op(node, data: context.fact(x), weight: context.fact(weight))
    let dtype = sumType(context.fact(weight), zeroW.map { context.fact($0) })
    let data = try context.centred(x, zeroX, as: dtype)
    let kernel = try context.centred(weight, zeroW, as: dtype)
    return try context.cast(try context.emit(op, data, kernel, nil), to: .int32)
  }

  /// The narrowest type that holds every partial sum, in any order, of products with numbers within ±255.
  private static func sumType(_ weight: Fact, _ zero: Fact?) -> DType {
    guard let terms = weight.shape[1...].reduce(1, *).constant else { return .float64 }
    let largest = magnitude(weight, zero) ?? 255.saturatingProduct(terms)
    return largest.saturatingProduct(255) < 1 << 24 ? .float32 : .float64
  }

  /// The largest sum of magnitudes that an output channel multiplies by, when the weight is known and has one zero
  /// point.
  private static func magnitude(_ weight: Fact, _ zero: Fact?) -> Int? {
    guard let tensor = weight.value, let channels = tensor.shape.first, channels > 0, zero == nil || zero?.value != nil
    else { return nil }
    let offsets = zero?.integers ?? [0]
    guard let offset = offsets.first, offsets.allSatisfy({ $0 == offset }) else { return nil }
    let (numbers, terms) = (tensor.integers, tensor.count / channels)
    return (0..<channels).map { channel in
      numbers[channel * terms..<(channel + 1) * terms].reduce(0) { $0 + abs($1 - offset) }
    }.max()
  }
}
