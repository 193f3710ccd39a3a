import MLCCore
import MLCKernels

extension DType {
  /// The C type of one stored element; packed elements lie in bytes.
  var cStorageType: String {
    switch self {
    case .float16, .bfloat16: "uint16_t"
    case .float32: "float"
    case .float64: "double"
    case .int8: "int8_t"
    case .int16: "int16_t"
    case .int32: "int32_t"
    case .int64: "int64_t"
    case .uint16: "uint16_t"
    case .uint32: "uint32_t"
    case .uint64: "uint64_t"
    case .uint8, .bool, .int4, .uint4, .int2, .uint1, .uint2, .uint3, .uint6: "uint8_t"
    case .float8e4m3fn, .float8e4m3fnuz, .float8e5m2, .float8e5m2fnuz, .float8e8m0, .float4e2m1: "uint8_t"
    case .string: preconditionFailure("strings have no C type")
    }
  }

  /// The C type of a value of this element type in an expression.
  var cType: String {
    widened.cStorageType
  }

  /// The suffix of prelude functions on values of this type.
  var cSuffix: String {
    switch self {
    case .float16, .bfloat16, .float32: "f32"
    case .float8e4m3fn, .float8e4m3fnuz, .float8e5m2, .float8e5m2fnuz, .float8e8m0, .float4e2m1: "f32"
    case .float64: "f64"
    case .int8, .int4, .int2: "i8"
    case .int16: "i16"
    case .int32: "i32"
    case .int64: "i64"
    case .uint8, .bool, .uint4, .uint1, .uint2, .uint3, .uint6: "u8"
    case .uint16: "u16"
    case .uint32: "u32"
    case .uint64: "u64"
    case .string: preconditionFailure("strings have no C type")
    }
  }
}
