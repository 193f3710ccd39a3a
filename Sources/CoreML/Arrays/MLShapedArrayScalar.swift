/// A type that elements of arrays can have: `Float`, `Double`, `Float16`, `Int32` or `Int8`.
public protocol MLShapedArrayScalar: BitwiseCopyable, Hashable, Sendable, Codable {
  /// The element type of multi-arrays of these.
  static var multiArrayDataType: MLMultiArrayDataType { get }
  /// The nearest value of this type; integers truncate toward zero and saturate, and NaN is 0 there.
  init(converting number: Double)
  /// This value, exactly.
  var asDouble: Double { get }
}

extension Double: MLShapedArrayScalar {
  @inlinable public static var multiArrayDataType: MLMultiArrayDataType { .double }
  @inlinable public init(converting number: Double) { self = number }
  @inlinable public var asDouble: Double { self }
}

extension Float: MLShapedArrayScalar {
  @inlinable public static var multiArrayDataType: MLMultiArrayDataType { .float32 }
  @inlinable public init(converting number: Double) { self = Float(number) }
  @inlinable public var asDouble: Double { Double(self) }
}

extension Float16: MLShapedArrayScalar {
  @inlinable public static var multiArrayDataType: MLMultiArrayDataType { .float16 }
  @inlinable public init(converting number: Double) { self = Float16(number) }
  @inlinable public var asDouble: Double { Double(self) }
}

extension Int32: MLShapedArrayScalar {
  @inlinable public static var multiArrayDataType: MLMultiArrayDataType { .int32 }
  @inlinable public init(converting number: Double) { self = Int32.saturating(number) }
  @inlinable public var asDouble: Double { Double(self) }
}

extension Int8: MLShapedArrayScalar {
  @inlinable public static var multiArrayDataType: MLMultiArrayDataType { .int8 }
  @inlinable public init(converting number: Double) { self = Int8.saturating(number) }
  @inlinable public var asDouble: Double { Double(self) }
}

extension FixedWidthInteger {
  /// Truncates toward zero; what is outside becomes the nearest end, NaN 0.
  @usableFromInline @inline(never) static func saturating(_ number: Double) -> Self {
    if number.isNaN { return 0 }
    if let exact = Self(exactly: number.rounded(.towardZero)) { return exact }
    return number < 0 ? .min : .max
  }
}
