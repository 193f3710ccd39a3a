import MLCCore
import MLCGraph
import MLCOps

extension ONNXContext {
  /// `x / √(mean(x²) + epsilon) · scale` over `axes`, in float32 at least, rounded to the type of `scale`; and
  /// `1 / √(mean(x²) + epsilon)`.
  mutating func rootMeanSquareNormalized(
    _ x: ValueID,
    _ axes: [Int],
    _ epsilon: Double,
    scale: ValueID
  ) throws(Diagnostic) -> (y: ValueID, inverse: ValueID) {
    let wide = fact(x).dtype == .float64 ? DType.float64 : .float32
    let data = try cast(x, to: wide)
    let square = try emit(Mul(), data, data)
    let mean = try emit(ReduceMean(axes: axes, keepDims: true), square)
    let inverse = try emit(Rsqrt(), try emit(Add(), mean, try constant(epsilon, wide, "epsilon")))
    let y = try emit(Mul(), try emit(Mul(), data, inverse), try cast(scale, to: wide))
    return (try cast(y, to: fact(scale).dtype), inverse)
  }
}
