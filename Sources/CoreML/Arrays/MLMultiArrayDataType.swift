/// The element types of a multi-array. Raw values are Core ML's.
public enum MLMultiArrayDataType: Int, Sendable {
  case double = 65600
  case float32 = 65568
  case float16 = 65552
  case int32 = 131104
  case int8 = 131080

  /// `double`, under its other name.
  public static var float64: MLMultiArrayDataType { .double }
  /// `float32`, under its other name.
  public static var float: MLMultiArrayDataType { .float32 }

  /// Bytes of one element.
  @usableFromInline var byteCount: Int {
    switch self {
    case .double: 8
    case .float32, .int32: 4
    case .float16: 2
    case .int8: 1
    }
  }
}
