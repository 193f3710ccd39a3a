import MLCCore
import MLCGraph

extension ONNXContext {
  /// Input `index`, quantised, with its scale and zero point in the two inputs after it, as float32.
  mutating func dequantizedInput(_ index: Int) throws(Diagnostic) -> ValueID {
    let x = try required(index)
    return try dequantized(x, try quantization(scale: index + 1, zeroPoint: index + 2, of: x))
  }

  /// `y` in `dtype`, that of the first input by default, with the scale in input `scale` and the zero point behind it.
  mutating func quantizedResult(_ y: ValueID, scale: Int, as dtype: DType? = nil) throws(Diagnostic) -> ValueID {
    let form = try quantization(scale: scale, zeroPoint: scale + 1, of: y)
    let first = fact(try required(0)).dtype
    return try quantized(y, form, to: dtype ?? first)
  }
}
