import MLCCore
import MLCGraph
import MLCOps

/// Scale and zero point of a quantised tensor, `value = (number − zero point) · scale`; both broadcast against it.
/// Without a zero point it is 0.
struct ONNXQuantization {
  var scale: ValueID
  var zeroPoint: ValueID?

  /// Throws `onnx.quantization` unless `dtype` is a type of quantised tensors: an integer of at most 16 bits, or a
  /// small float with a sign.
  static func require(_ dtype: DType) throws(Diagnostic) {
    guard dtype.isInteger && dtype.bitWidth <= 16 || dtype.smallFloat?.isSigned ?? false else {
      throw Diagnostic("onnx.quantization", "\(dtype.rawValue) is no type of a quantised tensor")
    }
  }

  /// The numbers that an integer type of quantised tensors has. Throws `onnx.quantization` for any other type.
  static func range(_ dtype: DType) throws(Diagnostic) -> ClosedRange<Double> {
    guard dtype.isInteger, dtype.bitWidth <= 16 else {
      throw Diagnostic("onnx.quantization", "\(dtype.rawValue) is no type of quantised integers")
    }
    let count = Double(1 << dtype.bitWidth)
    return dtype.isSigned ? -count / 2...count / 2 - 1 : 0...count - 1
  }
}

extension ONNXContext {
  /// What the inputs 1 and 2 and the attributes `axis` and `block_size` of `QuantizeLinear` and `DequantizeLinear` say
  /// of `x`. The only axis of a vector counts whatever `axis` says.
  mutating func quantization(_ node: ONNXNode, of x: ValueID) throws(Diagnostic) -> ONNXQuantization {
    let axis = fact(x).rank == 1 ? 0 : try node.int("axis", default: 1)
    return try quantization(scale: 1, zeroPoint: 2, of: x, axis: axis, block: try node.int("block_size", default: 0))
  }

  /// The scale and the zero point that are inputs of the node, for `x`: each is one number, has one for each position
  /// along `axis`, or with `block` above 0 one for each `block` positions along it.
  mutating func quantization(
    scale: Int,
    zeroPoint: Int,
    of x: ValueID,
    axis: Int = 1,
    block: Int = 0
  ) throws(Diagnostic) -> ONNXQuantization {
    let scale = try spread(try required(scale), over: x, axis: axis, block: block)
    guard let zeroPoint = input(zeroPoint) else { return ONNXQuantization(scale: scale) }
    return ONNXQuantization(scale: scale, zeroPoint: try spread(zeroPoint, over: x, axis: axis, block: block))
  }

  /// `(x − zero point) · scale`, in float32, float64 if the scale is that, rounded to `dtype`, the scale's by default.
  mutating func dequantized(_ x: ValueID, _ form: ONNXQuantization, as dtype: DType? = nil) throws(Diagnostic)
    -> ValueID
  {
    if fact(x).dtype != .int32 { try ONNXQuantization.require(fact(x).dtype) }
    let scale = fact(form.scale).dtype
    let result = dtype ?? scale
    guard scale.isFloat, result.smallFloat == nil else {
      throw Diagnostic("onnx.quantization", "a scale is \(fact(form.scale).type), the result \(result.rawValue)")
    }
    let wide = scale == .float64 ? DType.float64 : .float32
    let difference = try centred(x, form.zeroPoint, as: fact(x).dtype == .int32 ? .int32 : wide)
    let value = try emit(Mul(), try cast(difference, to: wide), try cast(form.scale, to: wide))
    return try cast(value, to: result)
  }

  /// `saturate(round(x / scale) + zero point)`, halves to even; to small floats `x / scale + zero point`, rounded once,
  /// and beyond the largest number it or with `saturates` false what the type has there. The quotient is in float32, or
  /// in float64 if that is the scale's type or `precision`; narrower types would round it twice.
  mutating func quantized(
    _ x: ValueID,
    _ form: ONNXQuantization,
    to dtype: DType,
    precision: DType? = nil,
    saturates: Bool = true
  ) throws(Diagnostic) -> ValueID {
    try ONNXQuantization.require(dtype)
    let wide = [precision, fact(form.scale).dtype].contains(.float64) ? DType.float64 : .float32
    let quotient = try emit(RealDiv(), try cast(x, to: wide), try cast(form.scale, to: wide))
    if dtype.isInteger { return try saturated(quotient, form.zeroPoint, to: dtype) }
    var rounding = ONNXSmallFloatRounding()
    rounding.saturates = saturates
    guard let zeroPoint = form.zeroPoint, try !isZero(zeroPoint) else { return try cast(quotient, to: dtype, rounding) }
    return try cast(try emit(Add(), quotient, try cast(zeroPoint, to: wide)), to: dtype, rounding)
  }

  /// `saturate(round(y) + zero point)`, halves to even; NaN is 0. y is float32 or float64.
  mutating func saturated(_ y: ValueID, _ zeroPoint: ValueID?, to dtype: DType) throws(Diagnostic) -> ValueID {
    let range = try ONNXQuantization.range(dtype)
    var whole = try emit(Round(), y)
    if let zeroPoint, try !isZero(zeroPoint) {
      whole = try emit(Add(), whole, try cast(zeroPoint, to: fact(y).dtype))
    }
    return try emit(Cast(dtype), try emit(Clip(alpha: range.lowerBound, beta: range.upperBound), whole))
  }

  /// `x` less its zero point as elements of `dtype`, which must be wide enough for both.
  mutating func centred(_ x: ValueID, _ zeroPoint: ValueID?, as dtype: DType) throws(Diagnostic) -> ValueID {
    let wide = try cast(x, to: dtype)
    guard let zeroPoint, try !isZero(zeroPoint) else { return wide }
    return try emit(Sub(), wide, try cast(zeroPoint, to: dtype))
  }

  /// Whether `zeroPoint` is known to be 0 everywhere. Throws `onnx.quantization` where it is neither an integer nor
  /// a small float.
  private func isZero(_ zeroPoint: ValueID) throws(Diagnostic) -> Bool {
    guard fact(zeroPoint).dtype.isInteger || fact(zeroPoint).dtype.smallFloat != nil else {
      throw Diagnostic("onnx.quantization", "a zero point is \(fact(zeroPoint).type)")
    }
    return fact(zeroPoint).doubles?.allSatisfy { $0 == 0 } ?? false
  }
}
