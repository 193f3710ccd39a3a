import MLCCore
import MLCGraph

/// What a program computes: the result of an operator, or an input.
public struct Value: Sendable {
  let id: ValueID
  /// The function and the block that it belongs to.
  let function: FunctionIdentity, block: Int
  /// `nil` for an extent that is known only as the program runs.
  public let shape: [Int?]
  public let dataType: DataType
}

/// Memory that a function keeps from call to call.
public struct StateValue: Sendable {
  let name: String, function: FunctionIdentity
}

/// Which function a value is of: the object's address is nobody else's as long as there is one.
final class FunctionIdentity: Sendable {}

/// The type of a tensor's elements. Those of fewer than eight bits are of compressed constants only.
public enum DataType: String, Sendable, CaseIterable {
  case float16 = "fp16"
  case float32 = "fp32"
  case int8, int16, int32, uint8, uint16, bool, string
  case int4, uint1, uint2, uint3, uint4, uint6

  var dtype: DType { DType(rawValue: rawValue) ?? .float32 }

  init(_ dtype: DType) { self = DataType(rawValue: dtype.rawValue) ?? (dtype.isFloat ? .float32 : .int32) }
}

/// An extent of an input's shape: a number, or a range where callers choose.
public enum Dimension: ExpressibleByIntegerLiteral, Sendable {
  case fixed(Int)
  case range(ClosedRange<Int>)

  public init(integerLiteral value: Int) { self = .fixed(value) }
}

/// The order of the channels of an image, whose pixels are from 0 to 255.
public enum ColorLayout: String, Sendable {
  case grayscale = "gray"
  case rgb, bgr
}
