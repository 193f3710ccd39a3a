import MLCCore

extension DType {
  /// What arrays of these elements are in Core ML, which has fewer types: wide and narrow integers and booleans are
  /// `int32`, `bf16` and floats of eight and four bits are `float32`.
  var multiArrayDataType: MLMultiArrayDataType { sameBits ?? (isFloat ? .float32 : .int32) }

  /// The Core ML type of the very same elements, if there is one.
  var sameBits: MLMultiArrayDataType? {
    switch self {
    case .float16: .float16
    case .float32: .float32
    case .float64: .double
    case .int32: .int32
    case .int8: .int8
    default: nil
    }
  }
}

extension MLMultiArrayDataType {
  /// The runtime's type of the very same elements.
  var dtype: DType {
    switch self {
    case .double: .float64
    case .float32: .float32
    case .float16: .float16
    case .int32: .int32
    case .int8: .int8
    }
  }
}
