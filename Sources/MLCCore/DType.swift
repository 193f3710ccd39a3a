/// An element type. Raw values are MIL's spelling, and what the text form prints.
package enum DType: String, Hashable, Sendable, CaseIterable, Codable {
  case float16 = "fp16"
  case bfloat16 = "bf16"
  case float32 = "fp32"
  case float64 = "fp64"
  case int8, int16, int32, int64
  case uint8, uint16, uint32, uint64
  case int4, uint4
  case uint1, uint2, uint3, uint6
  case bool, string

  /// Width of one element in bits; `bool` takes a byte; `string` has none and answers 0.
  package var bitWidth: Int {
    switch self {
    case .float64, .int64, .uint64: 64
    case .float32, .int32, .uint32: 32
    case .float16, .bfloat16, .int16, .uint16: 16
    case .int8, .uint8, .bool: 8
    case .uint6: 6
    case .int4, .uint4: 4
    case .uint3: 3
    case .uint2: 2
    case .uint1: 1
    case .string: 0
    }
  }

  /// Bytes of `count` densely packed elements, sub-byte elements from the low bits up; `nil` when that overflows.
  package func byteCount(_ count: Int) -> Int? {
    let (bits, overflow) = count.multipliedReportingOverflow(by: bitWidth)
    return overflow || bits > Int.max - 7 || count < 0 ? nil : (bits + 7) / 8
  }

  package var isFloat: Bool {
    switch self {
    case .float16, .bfloat16, .float32, .float64: true
    default: false
    }
  }

  package var isInteger: Bool { !isFloat && self != .bool && self != .string }

  package var isSigned: Bool {
    switch self {
    case .int4, .int8, .int16, .int32, .int64: true
    default: isFloat
    }
  }

  /// Narrower than a byte, stored packed.
  package var isPacked: Bool { (1..<8).contains(bitWidth) }
}
