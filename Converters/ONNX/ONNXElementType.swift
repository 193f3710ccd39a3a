import MLCCore

extension DType {
  /// The type that `TensorProto.DataType` number `code` stands for, `nil` for one that mlc has not.
  package init?(onnx code: Int) {
    switch code {
    case 1: self = .float32
    case 2: self = .uint8
    case 3: self = .int8
    case 4: self = .uint16
    case 5: self = .int16
    case 6: self = .int32
    case 7: self = .int64
    case 8: self = .string
    case 9: self = .bool
    case 10: self = .float16
    case 11: self = .float64
    case 12: self = .uint32
    case 13: self = .uint64
    case 16: self = .bfloat16
    case 17: self = .float8e4m3fn
    case 18: self = .float8e4m3fnuz
    case 19: self = .float8e5m2
    case 20: self = .float8e5m2fnuz
    case 21: self = .uint4
    case 22: self = .int4
    case 23: self = .float4e2m1
    case 24: self = .float8e8m0
    case 25: self = .uint2
    case 26: self = .int2
    default: return nil
    }
  }

  /// The type that `TensorProto.DataType` calls `name`, `nil` for one that mlc has not.
  package init?(onnxName name: String) {
    let names = [
      "FLOAT": 1, "UINT8": 2, "INT8": 3, "UINT16": 4, "INT16": 5, "INT32": 6, "INT64": 7, "STRING": 8, "BOOL": 9,
      "FLOAT16": 10, "DOUBLE": 11, "UINT32": 12, "UINT64": 13,
    ]
    guard let code = names[name.uppercased()] else { return nil }
    self.init(onnx: code)
  }

  /// What ONNX calls the element types that mlc has not.
  static func unsupportedONNXName(_ code: Int) -> String {
    let names = [0: "undefined", 14: "complex64", 15: "complex128", 27: "float6e2m3", 28: "float6e3m2"]
    return names[code] ?? "type \(code)"
  }
}
