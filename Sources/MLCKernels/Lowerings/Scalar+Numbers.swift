import MLCCore
import MLCGraph
import MLCOps

extension Scalar {
  /// `value` as a literal of `dtype`.
  package static func number(_ value: Double, _ dtype: DType) -> Scalar {
    dtype.isFloat ? .constant(value, dtype.widened) : .integer(Tensor.wrapping(value), dtype)
  }
  /// This plus a literal; itself for 0.
  func plus(_ value: Double, _ dtype: DType) -> Scalar { value == 0 ? self : self + .number(value, dtype) }
  func max(_ value: Double, _ dtype: DType) -> Scalar { .binary(.max, self, .number(value, dtype)) }
  func min(_ value: Double, _ dtype: DType) -> Scalar { .binary(.min, self, .number(value, dtype)) }
}
