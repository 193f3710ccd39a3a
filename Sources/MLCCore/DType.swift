/// An element type. Raw values are MIL's spelling, and what the text form prints; types that MIL lacks are spelled
/// alike.
package enum DType: String, Hashable, Sendable, CaseIterable, Codable {
  case float16 = "fp16"
  case bfloat16 = "bf16"
  case float32 = "fp32"
  case float64 = "fp64"
  case float8e4m3fn = "fp8e4m3fn"
  case float8e4m3fnuz = "fp8e4m3fnuz"
  case float8e5m2 = "fp8e5m2"
  case float8e5m2fnuz = "fp8e5m2fnuz"
  case float8e8m0 = "fp8e8m0"
  case float4e2m1 = "fp4e2m1"
  case int8, int16, int32, int64
  case uint8, uint16, uint32, uint64
  case int4, uint4, int2
  case uint1, uint2, uint3, uint6
  case bool, string

  /// Width of one element in bits; `bool` takes a byte; `string` has none and answers 0.
  package var bitWidth: Int {
    switch self {
    case .float64, .int64, .uint64: 64
    case .float32, .int32, .uint32: 32
    case .float16, .bfloat16, .int16, .uint16: 16
    case .int8, .uint8, .bool: 8
    case .float8e4m3fn, .float8e4m3fnuz, .float8e5m2, .float8e5m2fnuz, .float8e8m0: 8
    case .uint6: 6
    case .int4, .uint4, .float4e2m1: 4
    case .uint3: 3
    case .int2, .uint2: 2
    case .uint1: 1
    case .string: 0
    }
  }

  /// Bytes of `count` densely packed elements, sub-byte elements from the low bits up; `nil` when that overflows.
  package func byteCount(_ count: Int) -> Int? {
    let (bits, overflow) = count.multipliedReportingOverflow(by: bitWidth)
    return overflow || bits > Int.max - 7 || count < 0 ? nil : (bits + 7) / 8
  }

  /// What `count` elements take in memory, the UTF-8 of long strings not counted; `nil` when that overflows.
  package func memoryBytes(_ count: Int) -> Int? {
    if self != .string { return byteCount(count) }
    let (bytes, overflow) = count.multipliedReportingOverflow(by: DType.stringBytes)
    return overflow || count < 0 ? nil : bytes
  }

  /// What refers to a string; a short one is in there.
  package static let stringBytes = 16

  package var isFloat: Bool {
    switch self {
    case .float16, .bfloat16, .float32, .float64: true
    default: smallFloat != nil
    }
  }

  package var isInteger: Bool { !isFloat && self != .bool && self != .string }

  package var isSigned: Bool {
    switch self {
    case .int2, .int4, .int8, .int16, .int32, .int64: true
    default: isFloat
    }
  }

  /// Narrower than a byte, stored packed.
  package var isPacked: Bool { (1..<8).contains(bitWidth) }

  /// The type that compiled code keeps elements in: texts by their numbers, others as they are.
  package var stored: DType { self == .string ? .uint32 : self }

  /// A type of whole bytes that holds every element of this one.
  package var byteWide: DType {
    if !isPacked { return self }
    return isFloat ? .float8e4m3fn : isSigned ? .int8 : .uint8
  }
}
