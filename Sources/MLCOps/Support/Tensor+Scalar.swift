import MLCCore

extension Tensor {
  /// A scalar of the type, or of fp32 where that is strings: no operator takes it together with them.
  package static func scalar(_ value: Double, beside dtype: DType) -> Tensor {
    .scalar(dtype == .string ? .float32 : dtype, value)
  }
}
